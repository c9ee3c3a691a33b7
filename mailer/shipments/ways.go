package shipments

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// WayNow is how what goes by a method leaves at present, in the whole installation.
type WayNow struct {
	Method  models.ShipmentMethod
	Kinds   []string // of the workers that live, and of letters a scheduler's that runs apart, each once
	LeftBy  string   // the kind of real way by which something has left; empty if nothing has, or the folder is meant
	Missing bool     // something has left by a real way, and no worker that lives has one (rule D105)
	Differ  bool     // the workers have ways of different kinds
	Paused  int64    // the creditors for whom it is paused (rule D107)
}

// SchedulerWays is the setting that holds the ways of a scheduler that runs apart from the workers. It decides whether letters go in
// batches, so it must know their way too.
const SchedulerWays = "scheduler_ways"

// WaysNow returns the ways of all methods but those that nobody has set up, and by which nothing has left.
func WaysNow(ctx context.Context, db *store.DB) (all []WayNow, err error) {
	err = db.View(ctx, func(v store.View) error {
		workers, err := v.Workers(ctx)
		if err != nil {
			return err
		}
		kept, err := v.InstallationWays(ctx)
		if err != nil {
			return err
		}
		scheduler, err := v.Setting(ctx, SchedulerWays)
		if err != nil {
			return err
		}
		for _, m := range models.WayMethods {
			w := WayNow{Method: m}
			if i := slices.IndexFunc(kept, func(k store.InstallationWay) bool { return k.Method == m }); i >= 0 {
				w.LeftBy, w.Paused = kept[i].LeftBy, kept[i].Paused
			}
			hasReal := false
			for _, worker := range workers {
				ways := models.ParseWays(worker.Ways)
				hasReal = hasReal || ways.Real(m)
				w.Kinds = append(w.Kinds, ways.Of(m))
			}
			if slices.Contains(models.BatchMethods, m) && scheduler != "" {
				w.Kinds = append(w.Kinds, models.ParseWays(scheduler).Of(m))
			}
			slices.Sort(w.Kinds)
			w.Kinds = slices.Compact(w.Kinds)
			if m.NeedsSetting() && w.LeftBy == "" && !slices.ContainsFunc(w.Kinds, func(kind string) bool { return kind != models.WayNone }) {
				continue
			}
			w.Missing, w.Differ = w.LeftBy != "" && len(workers) > 0 && !hasReal, len(w.Kinds) > 1
			all = append(all, w)
		}
		return nil
	})
	return all, err
}

// KeepSchedulerWays remembers the ways of a scheduler that runs apart from the workers; nil where it runs with one.
func KeepSchedulerWays(ctx context.Context, db *store.DB, ways models.Ways) error {
	value := ""
	if ways != nil {
		value = ways.String()
	}
	if kept, err := db.Setting(ctx, SchedulerWays); err != nil || kept == value {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetSetting(ctx, SchedulerWays, value) })
}

// FileWay reports whether a part may hand over files by a method that is no shipment's: models.Bundles or models.Claims. If no part may,
// their way has gone missing.
func FileWay(ctx context.Context, tx *store.Tx, part Part, m models.ShipmentMethod) (may, missing bool, err error) {
	rows, err := tx.WaysOut(ctx, 0)
	if err != nil || part.Ways.Real(m) || wayOf(rows, 0, m).LeftBy == "" {
		return err == nil, false, err
	}
	workers, err := tx.Workers(ctx)
	if err != nil {
		return false, false, err
	}
	other := slices.ContainsFunc(workers, func(w store.Worker) bool { return models.ParseWays(w.Ways).Real(m) })
	return false, !other, nil
}

// MayHandOver reports whether the part may hand over the bundle of a hand-over: by a real way, only if the creditor has a name and the claim
// an account to pay it to. Else it tells a person what lacks (rule D108). It comes before all locks but those of the ways out.
func MayHandOver(ctx context.Context, tx *store.Tx, part Part, h models.HandOver) (bool, error) {
	if !part.Ways.Real(models.Bundles) {
		return true, nil
	}
	creditor, err := tx.Creditor(ctx, h.CreditorID)
	if err != nil {
		return false, err
	}
	lacks := creditor.MissingToSend(models.Bundles, part.Sender)
	if creditor.BankAccount == "" {
		i, err := tx.Invoice(ctx, h.CreditorID, h.InvoiceID)
		if err != nil {
			return false, err
		}
		if i.BankAccount == "" {
			lacks = append(lacks, "bank_account")
		}
	}
	if len(lacks) == 0 {
		return true, nil
	}
	return false, tellLacks(ctx, tx, h.CreditorID, models.Bundles, lacks)
}

// TakeUp tries at once what waits for one of the part's real ways: it has just been set, or set right. The worker that hands
// over calls it when it begins.
func TakeUp(ctx context.Context, db *store.DB, part Part) error {
	methods := part.Ways.RealMethods()
	if len(methods) == 0 {
		return nil
	}
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tryAgain(ctx, tx, methods) })
}

func tryAgain(ctx context.Context, tx *store.Tx, methods []models.ShipmentMethod) error {
	if err := tx.TryWays(ctx, methods); err != nil {
		return err
	}
	if slices.Contains(methods, models.Bundles) {
		if err := tx.LetBundlesGo(ctx); err != nil {
			return err
		}
	}
	if slices.Contains(methods, models.Claims) {
		if err := tx.LetClaimFilesGo(ctx); err != nil {
			return err
		}
	}
	return tx.LetAllGo(ctx, methods)
}

// WayChanged lets what a creditor sends by a method leave at once that waits for a way which was set right now, and forgets how the one before has
// refused (rule Q7).
func WayChanged(ctx context.Context, tx *store.Tx, creditorID int64, m models.ShipmentMethod) error {
	w, err := tx.LockWayOut(ctx, creditorID, m)
	if err != nil {
		return err
	}
	if w.Paused() || w.Refusal != "" {
		accepted := w.AcceptedAt
		w.Accept(tx.Now)
		w.Told, w.AcceptedAt = "", accepted
		if err := tx.UpdateWayOut(ctx, w); err != nil {
			return err
		}
	}
	if m == models.Bundles {
		return tx.LetBundlesGoOf(ctx, creditorID)
	}
	for _, why := range []string{models.KeptPaused, models.KeptRefused, models.KeptMissing} {
		if err := tx.LetGo(ctx, creditorID, why, m); err != nil {
			return err
		}
	}
	return nil
}

// MeanFolder notes a person's word that what goes by the method is to go to the folder from now on, though it has left by a
// real way before (rule D105). What waits goes at once. Of a method that has no folder it is the word that it is not set up any more: what
// waits is refused, and falls back (rule E20).
func MeanFolder(ctx context.Context, tx *store.Tx, m models.ShipmentMethod, actor string) error {
	w, err := tx.LockWayOut(ctx, 0, m)
	if err != nil {
		return err
	}
	if w.LeftBy == "" {
		return models.Conflict("no_real_way", "nothing has left by a real way for %s: the folder is meant already", m)
	}
	before := w.LeftBy
	w.LeftBy = ""
	if err := tx.UpdateWayOut(ctx, w); err != nil {
		return err
	}
	if err := tryAgain(ctx, tx, []models.ShipmentMethod{m}); err != nil {
		return err
	}
	creditors, err := tx.Creditors(ctx)
	if err != nil {
		return err
	}
	text := "What goes by " + string(m) + " goes to the folder from now on, and no longer by " + before
	if m.NeedsSetting() {
		text = "Nothing goes by " + string(m) + " from now on, as it did by " + before
	}
	var events []models.Event
	for _, c := range creditors {
		events = append(events, models.Event{
			CreditorID: c.ID, Type: models.EventWayFolder, SubjectID: c.ID, Actor: actor, Text: text,
			Facts: models.Facts{"method": m, "before": before},
		})
	}
	return tx.Log(ctx, events...)
}
