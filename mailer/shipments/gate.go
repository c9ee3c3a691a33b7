package shipments

import (
	"context"
	"slices"
	"strings"
	"time"

	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// Part is how a part of the program hands shipments over: all of them, or those of one creditor.
type Part struct {
	Ways   models.Ways
	Sender string // the address of e-mails of creditors that have none, or empty

	Batches    models.WayID // by which a new batch of letters leaves
	OneByOne   bool         // letters leave one by one, so no new batch begins
	OwnLetters bool         // the creditor has a way of its own for letters, or had one
}

// Gate says which of a creditor's due shipments may leave now.
type Gate struct {
	part       Part
	creditorID int64
	creditor   models.Creditor         // empty unless something leaves by a real way
	Free       []models.ShipmentMethod // those by which all may leave
	Single     []int64                 // the shipments by any other one that may leave on trial, or are to be asked after
	off        []models.ShipmentMethod // those that are not set up here, and by which nothing has ever left
}

const (
	// MissingPause is how long a shipment waits whose way has gone missing, until it is looked at again. A part that has the way
	// does not wait for that.
	MissingPause = 15 * time.Minute
	// notReadyPause is the same for one whose creditor is not ready. A change of the creditor lets it go at once.
	notReadyPause = 15 * time.Minute
	// singlesAtOnce is how many accepted shipments of a closed way are asked after at once.
	singlesAtOnce = 50
)

// OpenGate finds out by which of the methods the creditor's due shipments may leave, and keeps the others back (rules D105,
// D107, D108). Models.Auto, which decides only, is always free. It comes before all locks but those of the ways out.
func OpenGate(ctx context.Context, tx *store.Tx, part Part, creditorID int64, methods []models.ShipmentMethod) (Gate, error) {
	g := Gate{part: part, creditorID: creditorID}
	rows, err := tx.WaysOut(ctx, creditorID)
	if err != nil {
		return g, err
	}
	if len(part.Ways.RealMethods()) > 0 {
		if g.creditor, err = tx.Creditor(ctx, creditorID); err != nil {
			return g, err
		}
	}
	for _, m := range methods {
		installation, own := wayOf(rows, 0, m), wayOf(rows, creditorID, m)
		free := false
		switch lacks := g.lacks(m); {
		case m.NeedsSetting() && installation.LeftBy == "" && !part.Ways.Real(m):
			g.off = append(g.off, m)
		case installation.LeftBy != "" && !part.Ways.Real(m):
			err = keepMissing(ctx, tx, creditorID, m)
		case len(lacks) > 0:
			err = g.keepNotReady(ctx, tx, m, lacks)
		case own.Paused() && !inBatches(part.Ways, m):
			free, err = g.tryOne(ctx, tx, m)
		default:
			free = true
		}
		if err != nil {
			return g, err
		}
		if free {
			g.Free = append(g.Free, m)
		}
	}
	return g, nil
}

// inBatches reports whether what goes by the method leaves in batches, which are not refused one by one.
func inBatches(w models.Ways, m models.ShipmentMethod) bool {
	return slices.Contains(models.BatchMethods, m) && w.Of(m) == models.WaySFTP
}

func wayOf(rows []models.WayOut, creditorID int64, m models.ShipmentMethod) models.WayOut {
	i := slices.IndexFunc(rows, func(w models.WayOut) bool { return w.CreditorID == creditorID && w.Method == m })
	if i < 0 {
		return models.WayOut{CreditorID: creditorID, Method: m}
	}
	return rows[i]
}

// lacks returns what the creditor lacks for all documents that leave by a real way of the method.
func (g *Gate) lacks(m models.ShipmentMethod) []string {
	if !g.part.Ways.Real(m) {
		return nil
	}
	return g.creditor.MissingToSend(m, g.part.Sender)
}

// keepMissing keeps back what was sent by a real way before, unless another part that lives has one: then that part is to send
// it, at once.
func keepMissing(ctx context.Context, tx *store.Tx, creditorID int64, m models.ShipmentMethod) error {
	workers, err := tx.Workers(ctx)
	if err != nil || slices.ContainsFunc(workers, func(w store.Worker) bool { return models.ParseWays(w.Ways).Real(m) }) {
		return err
	}
	_, err = tx.KeepBack(ctx, store.Keeping{
		CreditorID: creditorID, Method: m, Accepted: true, Why: models.KeptMissing, Until: tx.Common.Add(MissingPause),
	})
	return err
}

func (g *Gate) keepNotReady(ctx context.Context, tx *store.Tx, m models.ShipmentMethod, lacks []string) error {
	kept, err := tx.KeepBack(ctx, store.Keeping{
		CreditorID: g.creditor.ID, Method: m, Why: models.KeptNotReady, Until: tx.Common.Add(notReadyPause),
	})
	if err != nil {
		return err
	}
	if kept > 0 {
		if err := tellLacks(ctx, tx, g.creditor.ID, m, lacks); err != nil {
			return err
		}
	}
	return g.askAccepted(ctx, tx, m)
}

// Stranded returns up to so many due shipments by methods that are not set up here, and by which nothing has ever left: there is no way
// for them, unless another part that lives has one. Nothing is asked where nothing needs a setting. It is for who has found nothing else
// to send, so that a method that few set up costs others nothing.
func (g *Gate) Stranded(ctx context.Context, tx *store.Tx, most int) ([]int64, error) {
	if len(g.off) == 0 {
		return nil, nil
	}
	ids, err := tx.DueShipmentIDs(ctx, g.creditorID, tx.Common, most, g.off...)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	workers, err := tx.Workers(ctx)
	if err != nil {
		return nil, err
	}
	elsewhere := slices.ContainsFunc(workers, func(w store.Worker) bool {
		return slices.ContainsFunc(g.off, models.ParseWays(w.Ways).Real)
	})
	if elsewhere {
		return nil, nil
	}
	return ids, nil
}

// askAccepted lets the channel be asked what became of what it has accepted, though nothing new leaves by it.
func (g *Gate) askAccepted(ctx context.Context, tx *store.Tx, m models.ShipmentMethod) error {
	ids, err := tx.DueAcceptedIDs(ctx, g.creditorID, tx.Common, singlesAtOnce, m)
	if err != nil {
		return err
	}
	g.Single = append(g.Single, ids...)
	return nil
}

// tryOne lets one shipment leave by a paused way if it is time for a trial, and keeps the others back until the next one. It
// reports whether the way is no longer paused.
func (g *Gate) tryOne(ctx context.Context, tx *store.Tx, m models.ShipmentMethod) (free bool, err error) {
	w, err := tx.LockWayOut(ctx, g.creditorID, m)
	if err != nil || !w.Paused() {
		return err == nil, err
	}
	one := int64(0)
	if !w.NextTrial.After(tx.Common) {
		due, err := tx.DueShipments(ctx, g.creditorID, tx.Common, 1, m)
		if err != nil {
			return false, err
		}
		if len(due) > 0 {
			one = due[0].ID
			g.Single = append(g.Single, one)
			w.Try(tx.Common)
			if err := tx.UpdateWayOut(ctx, w); err != nil {
				return false, err
			}
		}
	}
	_, err = tx.KeepBack(ctx, store.Keeping{CreditorID: g.creditorID, Method: m, Except: one, Why: models.KeptPaused, Until: *w.NextTrial})
	if err != nil {
		return false, err
	}
	return false, g.askAccepted(ctx, tx, m)
}

// Pass returns those of the shipments that may leave, and keeps back those that ask for money and name no account to pay it to.
// Their invoice gets the account that the creditor has by now, though it may have left to the folder without one.
func (g *Gate) Pass(ctx context.Context, tx *store.Tx, ids []int64) ([]int64, error) {
	if g.creditor.ID == 0 {
		return ids, nil
	}
	without, err := tx.WithoutAccount(ctx, g.creditor.ID, ids)
	if err != nil || len(without) == 0 {
		return ids, err
	}
	due, err := tx.ShipmentsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, a := range without {
		m := due[a.ID].Method
		switch {
		case !g.part.Ways.Real(m):
		case g.creditor.BankAccount == "":
			ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == a.ID })
			err = g.keepAccountless(ctx, tx, due[a.ID])
		default:
			err = g.putAccount(ctx, tx, a.InvoiceID)
		}
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// putAccount lets an invoice that names no account name the creditor's.
func (g *Gate) putAccount(ctx context.Context, tx *store.Tx, invoiceID int64) error {
	account, err := payee.Named(ctx, tx, g.creditor)
	if err != nil {
		return err
	}
	return tx.PutAccount(ctx, invoiceID, account)
}

func (g *Gate) keepAccountless(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	kept, err := tx.KeepBack(ctx, store.Keeping{
		CreditorID: s.CreditorID, Method: s.Method, Only: s.ID, Why: models.KeptNotReady, Until: tx.Common.Add(notReadyPause),
	})
	if err != nil || kept == 0 {
		return err
	}
	return tellLacks(ctx, tx, s.CreditorID, s.Method, []string{"bank_account"})
}

// tellLacks tells a person, once, that documents wait because the creditor lacks something.
func tellLacks(ctx context.Context, tx *store.Tx, creditorID int64, m models.ShipmentMethod, lacks []string) error {
	w, err := tx.LockWayOut(ctx, creditorID, m)
	missing := strings.Join(lacks, " ")
	if err != nil || w.Lacks == missing {
		return err
	}
	w.Lacks = missing
	if err := tx.UpdateWayOut(ctx, w); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventNotReadyToSend, SubjectID: creditorID,
		Text:  "Documents that go " + m.InWords() + " wait: the creditor lacks " + strings.Join(lacks, ", "),
		Facts: models.Facts{"method": m, "missing": lacks},
	})
}
