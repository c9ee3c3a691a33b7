package ledger

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"purr/models"
	"purr/store"
)

// Difference is a disagreement in the books, described for a person.
type Difference string

// many are so many entries that several questions at the same time are answered sooner than one.
const many = 10_000

// Verify proves a creditor's books and returns what does not agree. Every balance is the sum of its entries (rule
// D33). What is kept of each day's entries is their number and their sum (L16),
// and so it is of what was booked and deleted (N5). Every document is posted with its amount.
// Every stage agrees with rule D26. Only closed invoices are written off, with no more than they were of (L25). The number series has no gap and no duplicate (D18). Every invoice and notice is the sum
// of its lines (D13, D28). Every payment that a person matched is posted (E5). The ledger and the queue agree with the report
// of every payment file (E4). Every row has those that it names. Every claim lapses when what has acknowledged it says (L26). Each payment plan that runs is the one that its invoice names (L15). Every KID leads to its document (D20), and the log tells of every
// document (E7). Searches read what the invoices say. No credit was moved whose money is gone (D96). No letter for several invoices charges two fees, and the entries of a payment that is
// spread over its invoices add up to it (L23). Each repayment is paid once, from a
// file that adds up, and no more is reserved for those that wait than there is (N12). Each payment that the debt collector
// reported is booked once, with its amount (C1). The vouchers of each export to the accounts still follow from the ledger (A1a).
func Verify(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	entries, err := db.CountEntries(ctx, c.ID, many)
	if err != nil {
		return nil, fmt.Errorf("verify creditor %d: %w", c.ID, err)
	}
	checks := slices.Concat([]check{verifySplits}, verifyAmounts(entries < many))
	checks = append(checks, verifyDays, verifyBooked, verifyStages, verifySeries, verifyFiles, verifyOwners, verifyReferences, verifyLog, verifyTexts, verifyMoves, verifyRepayments, verifyLetters, verifyLapses, verifyPlans, verifyExports)
	if c.Adopts {
		checks = append(checks, verifyAdopted)
	}
	found := make([][]Difference, len(checks))
	proofs, ctx := errgroup.WithContext(ctx)
	proofs.SetLimit(2) // a server answers each connection with one processor
	for i, check := range checks {
		proofs.Go(func() (err error) {
			found[i], err = check(ctx, db, c)
			return err
		})
	}
	if err := proofs.Wait(); err != nil {
		return nil, fmt.Errorf("verify creditor %d: %w", c.ID, err)
	}
	return slices.Concat(found...), nil
}

// check proves one relation of a creditor's books.
type check func(context.Context, *store.DB, models.Creditor) ([]Difference, error)

// relation is how a relation is told of.
type relation struct {
	name   store.Relation
	format string
}

// relations say what amounts add up to.
var relations = []relation{
	{store.InvoiceBalance, "invoice with id %d keeps the balance %s, its entries add up to %s"},
	{store.CreditNoteBalance, "credit note with id %d keeps the balance %s, its entries add up to %s"},
	{store.InvoiceGross, "invoice with id %d is of %s, its INVOICE entry of %s"},
	{store.CreditNoteGross, "credit note with id %d is of %s, its first CREDIT_NOTE entry of %s"},
	{store.InvoiceLines, "invoice with id %d is of %s, its lines add up to %s"},
	{store.NoticeLines, "overdue notice with id %d is of %s, its lines add up to %s"},
	{store.CreditNoteLines, "credit note with id %d is of %s, its lines add up to %s"},
	{store.Credited, "invoice with id %d is of %s, its credit notes credit %s"},
	{store.RepaymentOwed, "invoice with id %d keeps a repayment owed of %s, its entries give %s: the next entry on it sets that right"},
	{store.WrittenOff, "invoice with id %d keeps %s as written off by a run, and it may be %s: open it again, and close it by hand if it is to stay closed"},
	{store.MatchedAmount, "unmatched payment with id %d is matched with %s, its entries are of %s"},
	{store.Collected, "report of the debt collector with id %d is of %s, its payment of %s"},
	{store.ClaimFile, "file of AvtaleGiro with id %d is of %s, its claims and cancellations of %s"},
	{store.ManualMatches, "payment file with id %d: persons have matched %s, the ledger has %s"},
}

// verifyAmounts returns the checks of the relations: one of all of them for a creditor with few entries, else one for each.
func verifyAmounts(few bool) (checks []check) {
	var all []store.Relation
	for _, r := range relations {
		all = append(all, r.name)
	}
	together := 1
	if few {
		together = len(all)
	}
	for some := range slices.Chunk(all, together) {
		checks = append(checks, func(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
			mismatches, err := db.AmountMismatches(ctx, c.ID, some...)
			if err != nil {
				return nil, err
			}
			return differences(mismatches), nil
		})
	}
	return checks
}

// verifySplits proves the payments that a person has matched with several invoices.
func verifySplits(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	mismatches, err := db.SplitMismatches(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	return differences(mismatches), nil
}

func differences(mismatches []store.Mismatch) (all []Difference) {
	for _, m := range mismatches {
		n := slices.IndexFunc(relations, func(r relation) bool { return r.name == m.Relation })
		all = append(all, Difference(fmt.Sprintf(relations[n].format, m.ID, m.Kept, m.Computed)))
	}
	return all
}

func verifyDays(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	mismatches, err := db.DayMismatches(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range mismatches {
		all = append(all, Difference(fmt.Sprintf("what is kept of the %s entries of %s differs from them by %d in number and by %s in amount", m.Type, m.Day, m.Items, m.Amount)))
	}
	return all, nil
}

// verifyBooked proves what the nights have kept of all that was booked, for the months (rule N5).
func verifyBooked(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	items, amount, err := db.BookedMismatch(ctx, c.ID)
	if err != nil || items == 0 && amount == 0 {
		return nil, err
	}
	return []Difference{Difference(fmt.Sprintf("what is kept of all that was booked differs from the entries and those that were deleted by %d in number and by %s in amount", items, amount))}, nil
}

func verifyStages(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	wrong, err := db.StageMismatches(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	var all []Difference
	for _, id := range wrong {
		all = append(all, Difference(fmt.Sprintf("invoice with id %d has another stage than its fields give", id)))
	}
	return all, nil
}

func verifySeries(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	s, err := db.Series(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	var all []Difference
	given, end := s.Documents+s.Lost, max(s.Highest, s.LastLost)
	switch {
	case given == 0 && s.Next != s.First:
		all = append(all, Difference(fmt.Sprintf("the number series is empty and goes on at %d instead of %d", s.Next, s.First)))
	case given == 0:
	case s.Documents > 0 && s.Lowest < s.First, end-s.First+1 != given:
		// A key keeps numbers unique. So the series has no gap if it has as many documents as numbers. Numbers that were lost
		// with what a backup does not hold count as given (rule O3).
		all = append(all, Difference(fmt.Sprintf("the number series from %d to %d, to start at %d, holds %d documents", s.Lowest, end, s.First, s.Documents)))
	case s.Next != end+1:
		all = append(all, Difference(fmt.Sprintf("the number series ends at %d and goes on at %d", end, s.Next)))
	}
	return all, nil
}

func verifyFiles(ctx context.Context, db *store.DB, c models.Creditor) ([]Difference, error) {
	sums, err := db.FileTotals(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	var all []Difference
	for _, s := range sums {
		for _, what := range fileDifferences(s) {
			all = append(all, Difference(fmt.Sprintf("payment file with id %d: %s", s.Part.PaymentFileID, what)))
		}
	}
	return all, nil
}

// fileDifferences returns what does not agree in a creditor's part of a file.
func fileDifferences(s store.FileTotal) []string {
	var all []string
	p := s.Part
	if n := p.Matched + p.Unmatched + p.Duplicates + p.Ignored; n != p.Transactions {
		all = append(all, fmt.Sprintf("%d transactions, but %d of them are accounted for", p.Transactions, n))
	}
	if a := p.MatchedAmount + p.UnmatchedAmount + p.DuplicatesAmount + p.IgnoredAmount; a != p.Amount {
		all = append(all, fmt.Sprintf("%s in all, but %s of it is accounted for", p.Amount, a))
	}
	if s.State != models.FileImported {
		return all
	}
	if s.Entries != p.Matched || s.EntriesAmount != p.MatchedAmount {
		all = append(all, fmt.Sprintf("matched are %d of %s, the ledger has %d of %s", p.Matched, p.MatchedAmount, s.Entries, s.EntriesAmount))
	}
	// The queue counts card reversals as money out, and the file adds them. So the file's amount lies between the queue's
	// sum and the sum of its magnitudes.
	if s.Queued != p.Unmatched || p.UnmatchedAmount < s.QueuedMoneyIn || p.UnmatchedAmount > s.QueuedMagnitude {
		all = append(all, fmt.Sprintf("unmatched are %d of %s, the queue has %d of %s", p.Unmatched, p.UnmatchedAmount, s.Queued, s.QueuedMoneyIn))
	}
	return all
}

// verifyLetters looks for letters for several invoices that charge more than one fee (rule L23).
func verifyLetters(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	wrong, err := db.LettersWithFees(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, id := range wrong {
		all = append(all, Difference(fmt.Sprintf("the notices of the letter with id %d charge more than one fee", id)))
	}
	return all, nil
}

// verifyOwners looks for rows that miss others: what foreign keys would hold.
func verifyOwners(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	orphans, err := db.Orphans(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, o := range orphans {
		all = append(all, Difference(fmt.Sprintf("the row of %s with id %d names id %d of %s, which is not there", o.Table, o.ID, o.Named, o.Owner)))
	}
	return all, nil
}

// verifyReferences looks for KIDs that lead nowhere.
func verifyReferences(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	kids, err := db.LostReferences(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, kid := range kids {
		all = append(all, Difference(fmt.Sprintf("payments with KID %s do not find its document", kid)))
	}
	return all, nil
}

// verifyLog looks for documents without an event.
func verifyLog(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	unlogged, err := db.Unlogged(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, u := range unlogged {
		all = append(all, Difference(fmt.Sprintf("the log has %d events %s, there are %d such documents", u.Logged, u.Type, u.Made)))
	}
	return all, nil
}

// verifyTexts compares what searches read with what the invoices say.
func verifyTexts(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	wrong, err := db.TextMismatches(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, id := range wrong {
		all = append(all, Difference(fmt.Sprintf("what searches read of the invoices from id %d on is not what they say", id)))
	}
	return all, nil
}

// verifyAdopted looks for invoices of other systems that are not wholly so (rule L17): in the creditor's own series, or without their opening
// entry, and for entries of other systems on invoices that are none.
func verifyAdopted(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	wrong, err := db.AdoptedMismatches(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, id := range wrong {
		all = append(all, Difference(fmt.Sprintf("invoice with id %d: its number, its opening entry and what another system told of it do not agree on whether it was adopted", id)))
	}
	return all, nil
}

// verifyMoves looks for credit that was moved although the money that it was made of is gone (rule D96).
func verifyMoves(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	lost, err := db.LostMoves(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, l := range lost {
		all = append(all, Difference(fmt.Sprintf("invoice %d owes %s, and %s of its surplus was moved to invoice %d by transaction %d: "+
			"the money was taken back, so delete that transaction, which takes the move back", l.InvoiceNumber, l.Owed, l.Amount, l.ToNumber, l.EntryID)))
	}
	if named := len(lost); named > 0 && lost[0].InAll > named {
		all = append(all, Difference(fmt.Sprintf("credit was moved %d more times although its money was taken back: "+
			"verify names those moves when the ones above are taken back", lost[0].InAll-named)))
	}
	return all, nil
}

// verifyLapses proves when the claims lapse that are open (rule L26).
func verifyLapses(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	wrong, err := db.LapseMismatches(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, w := range wrong {
		all = append(all, Difference(fmt.Sprintf("invoice with id %d keeps that it lapses on %q, what has acknowledged it gives %s: the next entry on it sets that right", w.ID, w.Kept.String(), w.Computed)))
	}
	return all, nil
}

// verifyPlans proves that an invoice names the payment plan that runs for it, and that no other runs (rule L15).
func verifyPlans(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	wrong, err := db.PlanMismatches(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, w := range wrong {
		text := "payment plan with id %d runs, and its invoice with id %d does not name it"
		if w.Named {
			text = "payment plan with id %d, which the invoice with id %d names, does not run for it"
		}
		all = append(all, Difference(fmt.Sprintf(text, w.PlanID, w.InvoiceID)))
	}
	return all, nil
}
