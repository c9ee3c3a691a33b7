package dunning

import (
	"context"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// sharing is a letter for several invoices with its notices and their invoices, which are locked (rule L23).
type sharing struct {
	letter   models.Letter
	notices  []models.Notice // all that it has had, in order
	creditor models.Creditor
	today    models.Date
}

// lockSharing reads a letter, and locks the invoices of its notices.
func lockSharing(ctx context.Context, tx *store.Tx, creditorID, letterID int64) (s sharing, err error) {
	if s.creditor, err = tx.Creditor(ctx, creditorID); err != nil {
		return sharing{}, err
	}
	if s.today, err = s.creditor.Today(tx.Now); err != nil {
		return sharing{}, err
	}
	ids, err := tx.InvoicesOfLetters(ctx, creditorID, []int64{letterID}) // never changes
	if err != nil {
		return sharing{}, err
	}
	if _, err := tx.LockInvoices(ctx, creditorID, ids); err != nil {
		return sharing{}, err
	}
	if s.letter, err = tx.Letter(ctx, creditorID, letterID); err != nil {
		return sharing{}, err
	}
	notices, err := tx.NoticesOfLetters(ctx, creditorID, []int64{letterID})
	if err != nil {
		return sharing{}, err
	}
	s.notices = notices[letterID]
	return s, nil
}

// LetterLeavesAsItIs reports whether the rows of a letter, of its notices and of their locked invoices alone tell that the letter may leave
// today. If not, RenewLetter says what becomes of it.
func LetterLeavesAsItIs(l models.Letter, invoices []models.Invoice, notices []models.Notice, today models.Date) bool {
	if l.Withdrawn != 0 || len(notices) == 0 {
		return false
	}
	for i, n := range notices {
		if !LeavesAsItIs(invoices[i], n, today) {
			return false
		}
	}
	return true
}

// RenewLetter returns the documents whose shipments may leave today in the place of a letter for several invoices: mostly the letter itself
// (rules L2, L23). If a notice of it has become needless or was withdrawn, or its day is over, all its notices are withdrawn, with their fees
// and interest, and automatic dunning decides anew on each of the invoices: those that get the step share a letter again, and the fee moves to
// the first of them that may bear it. So it is with a letter that was withdrawn because it failed, or left too late, and is to be sent again.
// gone says that its e-mail may not leave, because the customer has no e-mail address any more. The caller has locked the invoices and the
// shipment.
func RenewLetter(ctx context.Context, tx *store.Tx, base *law.Rules, creditorID, letterID int64, gone bool) ([]models.Document, error) {
	s, err := lockSharing(ctx, tx, creditorID, letterID)
	if err != nil {
		return nil, err
	}
	if s.letter.Withdrawn == 0 {
		whys, stays, err := s.reasons(ctx, tx, gone)
		if err != nil || stays {
			return []models.Document{s.letter.Document()}, err
		}
		if err := s.withdrawAll(ctx, tx, whys); err != nil {
			return nil, err
		}
	}
	if err := tx.WithdrawShipmentsOf(ctx, s.letter); err != nil {
		return nil, err
	}
	anew, err := s.issueAnew(ctx, tx, base)
	if err != nil {
		return nil, err
	}
	var leave []models.Document
	var replacedBy int64
	for _, n := range anew {
		if d := n.SentAs(); !slices.Contains(leave, d) {
			leave = append(leave, d)
			replacedBy = n.LetterID
		}
	}
	return leave, tx.WithdrawLetter(ctx, s.letter, s.today, replacedBy)
}

// reasons returns why each of the notices is to be withdrawn before the letter leaves, and true if the letter may leave as it is.
func (s sharing) reasons(ctx context.Context, tx *store.Tx, gone bool) (whys []why, stays bool, err error) {
	anew := why{}
	switch {
	case s.letter.IssueDate < s.today:
		anew = why{reason: "not_left", detail: s.letter.IssueDate.String()}
	case gone:
		anew = why{reason: "email_gone"}
	}
	stays = anew == why{}
	whys = make([]why, len(s.notices))
	for i, n := range s.notices {
		if n.Withdrawn != 0 {
			stays = false
			continue
		}
		invoice, err := tx.Invoice(ctx, s.creditor.ID, n.InvoiceID)
		if err != nil {
			return nil, false, err
		}
		if whys[i], err = needless(ctx, tx, invoice, n); err != nil {
			return nil, false, err
		}
		stays = stays && whys[i] == why{}
	}
	if anew == (why{}) {
		anew = why{reason: "letter_anew"}
	}
	for i := range whys {
		if whys[i] == (why{}) {
			whys[i] = anew
		}
	}
	return whys, stays, nil
}

// withdrawAll withdraws those of the notices that stand, the letter's last one first.
func (s *sharing) withdrawAll(ctx context.Context, tx *store.Tx, whys []why) error {
	for i, n := range slices.Backward(s.notices) {
		if n.Withdrawn != 0 {
			continue
		}
		invoice, err := tx.Invoice(ctx, s.creditor.ID, n.InvoiceID)
		if err != nil {
			return err
		}
		if _, err := withdraw(ctx, tx, invoice, n, s.today, whys[i]); err != nil {
			return err
		}
		if err := tx.WithdrawCopies(ctx, n.ID); err != nil {
			return err
		}
		s.notices[i].Withdrawn = s.today
	}
	return nil
}

// issueAnew has automatic dunning decide today on the invoices whose notices in the letter were withdrawn, and on which no other has taken their
// place. What it issues shares a letter.
func (s sharing) issueAnew(ctx context.Context, tx *store.Tx, base *law.Rules) ([]models.Notice, error) {
	var ids []int64
	sequence := map[int64]int{}
	for _, n := range s.notices {
		if n.Withdrawn != 0 {
			ids, sequence[n.InvoiceID] = append(ids, n.InvoiceID), n.Sequence
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	invoices, err := tx.InvoicesByID(ctx, s.creditor.ID, ids)
	if err != nil {
		return nil, err
	}
	invoices = slices.DeleteFunc(invoices, func(i models.Invoice) bool { return i.HandedOver != 0 || i.Notices >= sequence[i.ID] })
	if len(invoices) == 0 {
		return nil, nil
	}
	rules, err := RulesFor(ctx, base, tx, s.creditor.ID)
	if err != nil {
		return nil, err
	}
	snapshot, err := takeSnapshot(ctx, tx.View(), rules, s.creditor, s.today)
	if err != nil {
		return nil, err
	}
	snapshot.creditMoved = true // a letter that leaves moves none
	sims, decisions, err := snapshot.decideLocked(ctx, tx, idsOf(invoices))
	if err != nil {
		return nil, err
	}
	var drafts []draft
	for i, d := range decisions {
		if d.Action == Remind || d.Action == Warn {
			drafts = append(drafts, sims[i].draft(rules, decided(d), s.today))
		}
	}
	if len(drafts) == 0 {
		return nil, nil
	}
	return issue(ctx, tx, joinAgain(drafts))
}

// WithdrawFailedLetter withdraws all notices of a letter for several invoices whose shipment failed for good, as WithdrawFailed does with one
// (rules L2, L23): the letter stays failed, and RenewLetter takes the step anew once it is sent again.
func WithdrawFailedLetter(ctx context.Context, tx *store.Tx, creditorID, letterID int64, failure string) error {
	return withdrawLetterFor(ctx, tx, creditorID, letterID, why{reason: "letter_failed", detail: failure})
}

// WithdrawBouncedLetter withdraws all notices of a letter for several invoices whose e-mail came to nothing (rules L22, L23). Automatic dunning
// issues them anew on paper on the next sending day.
func WithdrawBouncedLetter(ctx context.Context, tx *store.Tx, creditorID, letterID int64, failure string) error {
	return withdrawLetterFor(ctx, tx, creditorID, letterID, why{reason: "letter_failed", detail: failure, mailed: true})
}

func withdrawLetterFor(ctx context.Context, tx *store.Tx, creditorID, letterID int64, because why) error {
	s, err := lockSharing(ctx, tx, creditorID, letterID)
	if err != nil || s.letter.Withdrawn != 0 {
		return err
	}
	whys := make([]why, len(s.notices))
	for i := range whys {
		whys[i] = because
	}
	if err := s.withdrawAll(ctx, tx, whys); err != nil {
		return err
	}
	return tx.WithdrawLetter(ctx, s.letter, s.today, 0)
}

// WithdrawLetterIfNeedless withdraws a letter for several invoices if each of its notices is needless or withdrawn, and reports whether it did.
// The caller has locked the invoices and the shipment.
func WithdrawLetterIfNeedless(ctx context.Context, tx *store.Tx, creditorID, letterID int64) (bool, error) {
	s, err := lockSharing(ctx, tx, creditorID, letterID)
	if err != nil || s.letter.Withdrawn != 0 {
		return false, err
	}
	whys := make([]why, len(s.notices))
	for i, n := range s.notices {
		if n.Withdrawn != 0 {
			continue
		}
		invoice, err := tx.Invoice(ctx, creditorID, n.InvoiceID)
		if err != nil {
			return false, err
		}
		if whys[i], err = needless(ctx, tx, invoice, n); err != nil || whys[i] == (why{}) {
			return false, err
		}
	}
	if err := tx.WithdrawShipmentsOf(ctx, s.letter); err != nil {
		return false, err
	}
	if err := s.withdrawAll(ctx, tx, whys); err != nil {
		return false, err
	}
	return true, tx.WithdrawLetter(ctx, s.letter, s.today, 0)
}

// JointLetterLeft does for each notice of a letter for several invoices what LetterLeft does for one (rules D94, L23). It reports true if the step
// is to be taken anew on some of them: a letter must be owed in the place of the one that left, which RenewLetter replaces.
func JointLetterLeft(ctx context.Context, tx *store.Tx, creditorID, letterID int64, day models.Date) (again bool, err error) {
	s, err := lockSharing(ctx, tx, creditorID, letterID)
	if err != nil || s.letter.Withdrawn != 0 {
		return false, err
	}
	for _, n := range s.notices {
		one, err := LetterLeft(ctx, tx, s.creditor, n.ID, day)
		if err != nil {
			return false, err
		}
		again = again || one
	}
	if !again {
		return false, nil
	}
	return true, tx.WithdrawLetter(ctx, s.letter, s.today, 0)
}

// CanSendLetterAgain returns nil if a letter for several invoices may be sent again: if a single notice of one of its invoices might be.
// Otherwise it returns the conflict of CanSendAgain for the first.
func CanSendLetterAgain(invoices []models.Invoice, notices []models.Notice) (err error) {
	for i, n := range notices {
		refused := CanSendAgain(invoices[i], n)
		if refused == nil {
			return nil
		}
		if err == nil {
			err = refused
		}
	}
	return err
}
