-- +goose Up

-- Until when a notice runs whose letter left on a later day than its own (D94). NULL: until its due date.
ALTER TABLE overdue_notices ADD COLUMN counts_until DATE NULL;

-- Days that are added to a notice's deadline for the printer or the print shop (D94).
ALTER TABLE creditors ADD COLUMN dunning_handover_days INT NOT NULL DEFAULT 0;
