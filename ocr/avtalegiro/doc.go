// Package avtalegiro makes the bytes of the files that bring claims of AvtaleGiro to the bank, and reads what the bank answers (rules G3,
// G3a). What they mean for claims is decided in ledger/avtalegiro, and mailer/dispatch delivers the files. It knows nothing of dunning.
//
// Begin reading at Files.Content and Take.
package avtalegiro
