package shipments

import (
	"context"
	"errors"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// verdict says what a refusal means for its shipment.
type verdict struct {
	owed      bool      // it stays owed, and nothing takes its place (rule D107)
	settings  bool      // a person has to set something right: the time does not count in which it could not leave
	unclear   bool      // nobody knows yet whose fault it is
	afresh    bool      // the channel itself says that it is the settings' fault: the next attempt counts as the first one
	notBefore time.Time // of the next attempt; zero for any time
}

// keep keeps a shipment back that stays owed though it was refused.
func (v verdict) keep(s *models.Shipment, why string, tx *store.Tx) {
	s.Reason, s.KeptBack = why, models.KeptRefused
	if s.NextAttempt = tx.Common.Add(models.RetryPause(s.Attempts)); s.NextAttempt.Before(v.notBefore) {
		s.NextAttempt = v.notBefore
	}
	switch {
	case v.unclear:
		s.WaitUnclear(tx.Now)
	case v.settings && s.Receipt == "":
		s.PatientFrom, s.UnclearUntil = &tx.Now, nil
	}
	if v.afresh && s.Receipt == "" {
		s.FirstAttempt = nil
	}
}

// hearAnswers notes on a creditor's ways out what the channels answered, tells a person what is to be told, and returns a verdict
// on each outcome. It comes before all other locks. Most answers are acceptances that change nothing there.
func hearAnswers(ctx context.Context, tx *store.Tx, outcomes []Outcome) ([]verdict, error) {
	verdicts := make([]verdict, len(outcomes))
	rows, err := tx.WaysOut(ctx, outcomes[0].Taken.CreditorID)
	if err != nil {
		return nil, err
	}
	for _, m := range models.ShipmentMethods {
		var of []int
		for i, o := range outcomes {
			if o.Taken.Method == m && (o.accepted() || o.refused() || o.unknown()) {
				of = append(of, i)
			}
		}
		if err := noteLeft(ctx, tx, rows, m, outcomes, of); err != nil {
			return nil, err
		}
		own := wayOf(rows, outcomes[0].Taken.CreditorID, m)
		news := func(i int) bool { return outcomes[i].refused() || own.Refusal != "" || own.Paused() }
		if !slices.ContainsFunc(of, news) {
			continue
		}
		if err := hearMethod(ctx, tx, m, outcomes, of, verdicts); err != nil {
			return nil, err
		}
	}
	return verdicts, nil
}

// accepted reports whether the channel has taken a shipment that it did not have before.
func (o Outcome) accepted() bool {
	return o.Failure == nil && !o.Untried && !o.Decided && !o.Canceled && o.Taken.Receipt == ""
}

// refused reports whether the channel has refused the shipment, and not because it does not know the recipient.
func (o Outcome) refused() bool {
	return !o.Unsent && models.IsRefused(o.Failure) && !models.IsUnknownRecipient(o.Failure)
}

// unknown reports whether the channel does not know the recipient: its way works (rule E20).
func (o Outcome) unknown() bool { return !o.Unsent && models.IsUnknownRecipient(o.Failure) }

// noteLeft remembers the kind of real way by which something of a method has left for the first time (rule D105).
func noteLeft(ctx context.Context, tx *store.Tx, rows []models.WayOut, m models.ShipmentMethod, outcomes []Outcome, of []int) error {
	i := slices.IndexFunc(of, func(i int) bool { return outcomes[i].accepted() && outcomes[i].By != "" })
	if i < 0 || wayOf(rows, 0, m).LeftBy != "" {
		return nil
	}
	return NoteLeft(ctx, tx, m, outcomes[of[i]].By)
}

// NoteLeft remembers that something of a method has left by a kind of real way (rule D105).
func NoteLeft(ctx context.Context, tx *store.Tx, m models.ShipmentMethod, kind string) error {
	w, err := tx.LockWayOut(ctx, 0, m)
	if err != nil || w.LeftBy != "" {
		return err
	}
	w.LeftBy = kind
	return tx.UpdateWayOut(ctx, w)
}

// hearMethod hears the answers to shipments by one method, in their order.
func hearMethod(ctx context.Context, tx *store.Tx, m models.ShipmentMethod, outcomes []Outcome, of []int, verdicts []verdict) error {
	w, err := tx.LockWayOut(ctx, outcomes[of[0]].Taken.CreditorID, m)
	if err != nil {
		return err
	}
	for _, i := range of {
		o := outcomes[i]
		if o.accepted() || o.unknown() {
			since := w.PausedSince
			if w.Accept(tx.Now) {
				w.Told = "" // the next pause is news
				if err := resumed(ctx, tx, o.Taken, *since); err != nil {
					return err
				}
			}
			continue
		}
		if verdicts[i], err = refuse(ctx, tx, &w, o); err != nil {
			return err
		}
	}
	if w.Paused() {
		for _, i := range of {
			verdicts[i].notBefore = w.NextTrial.Add(time.Second) // others are tried first
		}
	}
	return tx.UpdateWayOut(ctx, w)
}

// refuse notes a refusal, and tells a person of a fault of the settings.
func refuse(ctx context.Context, tx *store.Tx, w *models.WayOut, o Outcome) (verdict, error) {
	refusal, _ := errors.AsType[*models.Refused](o.Failure) // see Outcome.refused
	reason := models.Foreign(o.Failure.Error(), models.MaxReason)
	tried := o.Taken
	tried.End(tx.Now, tx.Common)
	r := models.Refusal{
		Blame: refusal.Blame, Words: models.RefusalWords(o.Failure.Error()), Recipient: o.Taken.Method.Identity(o.Taken.Recipient),
		Since: tried.FirstAttempt, Overdue: tried.Overdue(tx.Now), Waited: tried.WaitedUnclear(tx.Now),
	}
	heard := w.Refuse(r, tx.Now, tx.Common)
	v := verdict{
		owed: heard.Owed, settings: heard.Blame == models.BlameSettings, unclear: heard.Blame == models.BlameUnclear,
		afresh: r.Blame == models.BlameSettings,
	}
	what, news := models.EventWayRefused, v.settings && !w.Paused()
	if heard.Paused {
		what, news = models.EventWayPaused, true
	}
	if !news || !w.Tell(string(what)+" "+r.Words, tx.Now) {
		return v, nil
	}
	return v, tellRefusal(ctx, tx, what, o.Taken, reason)
}

// tellRefusal tells a person that a way refuses for a fault of the settings, or that it is paused.
func tellRefusal(ctx context.Context, tx *store.Tx, what models.EventType, s models.Shipment, reason string) error {
	text := "A document that goes " + s.Method.InWords() + " is refused, and not for its recipient; it waits: " + reason
	if what == models.EventWayPaused {
		text = "What goes " + s.Method.InWords() + " is refused by all, and waits: " + reason
	}
	return tx.Log(ctx, models.Event{
		CreditorID: s.CreditorID, Type: what, SubjectID: s.ID, Text: text, Facts: models.Facts{"method": s.Method, "reason": reason},
	})
}

// resumed lets all go that waited for a paused way, and tells of it.
func resumed(ctx context.Context, tx *store.Tx, s models.Shipment, since time.Time) error {
	if err := tx.LetGo(ctx, s.CreditorID, models.KeptPaused, s.Method); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: s.CreditorID, Type: models.EventWayResumed, SubjectID: s.ID, Text: "What goes " + s.Method.InWords() + " leaves again",
		Facts: models.Facts{"method": s.Method, "since": since.UTC().Format(time.RFC3339)},
	})
}
