package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// WaysOut returns what is remembered of the creditor's ways out, and of the installation's, as creditor 0's.
func (r reads) WaysOut(ctx context.Context, creditorID int64) ([]models.WayOut, error) {
	return waysOut.all(ctx, r, creditorID)
}

var waysOut = selecting[models.WayOut]("FROM ways_out WHERE creditor_id IN (0, ?)")

// InstallationWay is what is remembered of a way out of the whole installation.
type InstallationWay struct {
	Method models.ShipmentMethod
	LeftBy string // the kind of real way by which something has left; empty if nothing has, or the folder is meant
	Paused int64  // the creditors for whom it is paused
}

// InstallationWays returns the ways of which something is remembered, in any order. It asks one question.
func (r reads) InstallationWays(ctx context.Context) ([]InstallationWay, error) {
	kept := r.with(ctx).Model(&models.WayOut{}).Select("method, left_by, 0 AS paused").Where("creditor_id = 0")
	paused := r.with(ctx).Model(&models.WayOut{}).Select("method, '' AS left_by, COUNT(*) AS paused").Where("paused_since IS NOT NULL").Group("method")
	return scan[[]InstallationWay](r.with(ctx).
		Raw("SELECT method, MAX(left_by) AS left_by, SUM(paused) AS paused FROM (? UNION ALL ?) AS ways GROUP BY method", kept, paused))
}

// SetUp reports whether something can leave by a method: it needs no setting, a worker that lives has a way for it, or something has left
// by a real way before (rules D105, E20). It asks at most one question.
func (r reads) SetUp(ctx context.Context, m models.ShipmentMethod) (bool, error) {
	there, err := r.MethodsSetUp(ctx, m)
	if err != nil {
		return false, err
	}
	return len(there) > 0, nil
}

// MethodsSetUp returns those of the methods of which SetUp is true.
func (r reads) MethodsSetUp(ctx context.Context, methods ...models.ShipmentMethod) ([]models.ShipmentMethod, error) {
	needs := models.ShipmentMethod.NeedsSetting
	if !slices.ContainsFunc(methods, needs) {
		return methods, nil
	}
	workers := r.with(ctx).Model(&Worker{}).Select("ways, '' AS method")
	left := r.with(ctx).Model(&models.WayOut{}).Select("'' AS ways, method").Where("creditor_id = 0 AND left_by <> ''")
	known, err := scan[[]struct {
		Ways   string
		Method models.ShipmentMethod
	}](r.with(ctx).Raw("? UNION ALL ?", workers, left))
	if err != nil {
		return nil, err
	}
	var there []models.ShipmentMethod
	for _, m := range methods {
		ok := !needs(m)
		for _, k := range known {
			ok = ok || k.Method == m || models.ParseWays(k.Ways).Real(m)
		}
		if ok {
			there = append(there, m)
		}
	}
	return there, nil
}

// LockWayOut reads what is remembered of a way out, and locks it until the transaction ends. It makes the row if there is none.
func (tx *Tx) LockWayOut(ctx context.Context, creditorID int64, method models.ShipmentMethod) (models.WayOut, error) {
	lock := func() (models.WayOut, bool, error) {
		return readFirst[models.WayOut](forUpdate(tx.with(ctx)).Where("creditor_id = ? AND method = ?", creditorID, method))
	}
	w, found, err := lock()
	if err != nil || found {
		return w, err
	}
	if _, err := tx.insertIgnoring(ctx, &models.WayOut{CreditorID: creditorID, Method: method}); err != nil {
		return models.WayOut{}, err
	}
	w, _, err = lock()
	return w, err
}

// UpdateWayOut writes what is remembered of a way out, which the caller has locked.
func (tx *Tx) UpdateWayOut(ctx context.Context, w models.WayOut) error {
	return tx.put(ctx, &w)
}

// keptAtOnce is how many shipments one statement keeps back or lets go.
const keptAtOnce = 1000

// Keeping says which of a creditor's due shipments are kept back, and until when.
type Keeping struct {
	CreditorID int64
	Method     models.ShipmentMethod
	Except     int64 // the shipment that is not, or 0
	Only       int64 // the only one that is, or 0 for all
	Accepted   bool  // also those that their channel has accepted
	Why        string
	Until      time.Time // in common time; they are looked at again then
}

// KeepBack keeps shipments back that are due and that nobody has in hand, and returns how many. Of very many it leaves some for
// the next time.
func (tx *Tx) KeepBack(ctx context.Context, k Keeping) (int64, error) {
	due := "state = ? AND creditor_id = ? AND next_attempt <= ? AND taken_by = '' AND batch_id = 0 AND method = ? AND id <> ?"
	args := []any{models.ShipmentOwed, k.CreditorID, tx.Common, k.Method, k.Except}
	if k.Only != 0 {
		due, args = due+" AND id = ?", append(args, k.Only)
	}
	if !k.Accepted {
		due += " AND receipt = ''"
	}
	ids, err := idsOf(tx.with(ctx).Model(&models.Shipment{}).Where(due, args...).Order("next_attempt, id").Limit(keptAtOnce))
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	slices.Sort(ids)
	return tx.setSome(ctx, &models.Shipment{}, map[string]any{"kept_back": k.Why, "failure": k.Why, "next_attempt": k.Until},
		due+" AND id IN ?", append(args, ids)...)
}

// LetGo makes a creditor's shipments due at once that go by the method and are kept back for the reason.
func (tx *Tx) LetGo(ctx context.Context, creditorID int64, why string, methods ...models.ShipmentMethod) error {
	return tx.letGo(ctx, "creditor_id = ? AND kept_back = ? AND method IN ?", creditorID, why, methods)
}

// LetReadyGo makes a creditor's shipments and hand-overs due at once that waited until it was ready. If it is not yet, that is told again.
func (tx *Tx) LetReadyGo(ctx context.Context, creditorID int64) error {
	if err := tx.set(ctx, &models.WayOut{}, map[string]any{"lacks": ""}, "creditor_id = ? AND lacks <> ''", creditorID); err != nil {
		return err
	}
	err := tx.set(ctx, &models.HandOver{}, map[string]any{"failure": "", "next_attempt": tx.Common},
		"creditor_id = ? AND state IN ? AND failure = ? AND taken_by = ''", creditorID, owedHandOvers, models.KeptNotReady)
	if err != nil {
		return err
	}
	return tx.LetGo(ctx, creditorID, models.KeptNotReady, models.ShipmentMethods...)
}

// LetAllGo makes all creditors' shipments due at once that go by one of the methods and are kept back.
func (tx *Tx) LetAllGo(ctx context.Context, methods []models.ShipmentMethod) error {
	return tx.letGo(ctx, "kept_back <> '' AND method IN ?", methods)
}

func (tx *Tx) letGo(ctx context.Context, where string, args ...any) error {
	for {
		ids, err := idsOf(tx.with(ctx).Model(&models.Shipment{}).
			Where("state = ? AND taken_by = '' AND batch_id = 0 AND "+where, append([]any{models.ShipmentOwed}, args...)...).Order("id").Limit(keptAtOnce))
		if err != nil || len(ids) == 0 {
			return err
		}
		// What is refused keeps its channel's words.
		err = tx.set(ctx, &models.Shipment{}, map[string]any{
			"failure": gorm.Expr("CASE WHEN kept_back = ? THEN failure ELSE '' END", models.KeptRefused), "next_attempt": tx.Common,
		}, "id IN ? AND kept_back <> ''", ids)
		if err == nil {
			err = tx.set(ctx, &models.Shipment{}, map[string]any{"kept_back": ""}, "id IN ?", ids)
		}
		if err != nil || len(ids) < keptAtOnce {
			return err
		}
	}
}

// TryWays lets one shipment leave on trial at once by each way of the methods that is paused.
func (tx *Tx) TryWays(ctx context.Context, methods []models.ShipmentMethod) error {
	return tx.set(ctx, &models.WayOut{}, map[string]any{"next_trial": tx.Common, "trials": 0}, "paused_since IS NOT NULL AND method IN ?", methods)
}

// DueAcceptedIDs returns the IDs of up to limit shipments of the creditor that their channels have accepted, and are to be asked
// after, by one of the methods.
func (r reads) DueAcceptedIDs(ctx context.Context, creditorID int64, by time.Time, limit int, methods ...models.ShipmentMethod) ([]int64, error) {
	return idsOf(r.dueShipments(ctx, creditorID, by, limit, methods).Model(&models.Shipment{}).Where("receipt <> ''"))
}

// Accountless are shipments of a document that asks for money and names no account.
type Accountless struct {
	ID        int64
	InvoiceID int64
}

// WithoutAccount returns those of a creditor's shipments that send an invoice or a notice on which no account stands.
func (r reads) WithoutAccount(ctx context.Context, creditorID int64, ids []int64) ([]Accountless, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return scan[[]Accountless](r.with(ctx).Raw(`SELECT s.id, i.id AS invoice_id
		FROM shipments s LEFT JOIN overdue_notices n ON s.document_kind = ? AND n.id = s.document_id
		JOIN invoices i ON i.creditor_id = s.creditor_id AND i.id = COALESCE(n.invoice_id, s.document_id)
		WHERE s.creditor_id = ? AND s.id IN ? AND s.document_kind IN ? AND i.bank_account = '' AND s.receipt = ''`,
		models.NoticeDocument, creditorID, ids, []models.DocumentKind{models.InvoiceDocument, models.NoticeDocument}))
}

// PutAccount puts an account on an invoice that names none. What was drawn of it without one is drawn anew.
func (tx *Tx) PutAccount(ctx context.Context, invoiceID int64, account string) error {
	return tx.set(ctx, &models.Invoice{}, map[string]any{"bank_account": account, "pdf": "", "ehf": ""}, "id = ? AND bank_account = ''", invoiceID)
}

// LetClaimFilesGo makes the files of claims due at once whose way was missing.
func (tx *Tx) LetClaimFilesGo(ctx context.Context) error {
	return tx.set(ctx, &models.ClaimFile{}, map[string]any{"failure": "", "next_attempt": tx.Common},
		"state = ? AND failure = ? AND taken_by = ''", models.ClaimFileOwed, models.KeptMissing)
}

// LetBundlesGoOf makes a creditor's hand-overs, and its files for the collector, due at once that nobody has in hand.
func (tx *Tx) LetBundlesGoOf(ctx context.Context, creditorID int64) error {
	now := map[string]any{"next_attempt": tx.Common}
	err := tx.set(ctx, &models.CollectorFile{}, now, "creditor_id = ? AND state = ? AND taken_by = ''", creditorID, models.CollectorFileOwed)
	if err != nil {
		return err
	}
	return tx.set(ctx, &models.HandOver{}, now, "creditor_id = ? AND state IN ? AND taken_by = ''", creditorID, owedHandOvers)
}

// LetBundlesGo makes the hand-overs, and the files for the collector, due at once whose way was missing.
func (tx *Tx) LetBundlesGo(ctx context.Context) error {
	err := tx.set(ctx, &models.CollectorFile{}, map[string]any{"failure": "", "next_attempt": tx.Common},
		"state = ? AND failure = ? AND taken_by = ''", models.CollectorFileOwed, models.KeptMissing)
	if err != nil {
		return err
	}
	return tx.set(ctx, &models.HandOver{}, map[string]any{"failure": "", "next_attempt": tx.Common},
		"state IN ? AND failure = ? AND taken_by = ''", owedHandOvers, models.KeptMissing)
}
