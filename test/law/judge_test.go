//go:build chaos

package law_test

import (
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/test/testkit/law"
)

// foresee notes what the law says that the runs of the days between two days do while nobody does anything. It has no
// opinion of invoices whose letters wait, nor where a payment in the queue may point at another customer each day.
func (l *life) foresee(from, to models.Date, stopped bool) {
	l.foreseen = nil
	if to == from+1 || stopped || l.w.noPrinter > 0 || len(l.List("/unmatched_payments?status=open")) > 0 {
		return
	}
	books := l.copies()
	l.foreseen = make([][]string, len(books))
	for on := from + 1; on < to; on++ {
		for n, said := range l.runOf(on, books, nil) {
			if strings.HasPrefix(said, "notice") || said == "hand_over" {
				l.foreseen[n] = append(l.foreseen[n], on.String()+" "+said)
			}
		}
	}
	for n, i := range l.invoices {
		if i.waits() {
			l.foreseen[n] = []string{"?"}
		}
	}
}

// morning holds what was done since the last review against what was foreseen, and the plan of the day against what the
// law says of every overdue invoice: the step, or the first reason that applies (rules E6, L12).
func (l *life) morning(today models.Date) {
	l.w.Helper()
	before := l.copies()
	l.review(today)
	for n, want := range l.foreseen {
		if i := l.invoices[n]; len(want) != 1 || want[0] != "?" {
			l.compare(i, fmt.Sprint(l.since(i, before[n])), fmt.Sprint(append([]string{}, want...)), "the runs before %s did", today)
		}
	}
	l.plan = l.planOf(today)
	shielded := l.shielded()
	for n, want := range l.runOf(today, l.copies(), shielded) {
		i := l.invoices[n]
		i.waited = i.waits()
		planned := l.plan[i.number]
		if l.queued && (planned == "payment_in_queue") != (want == "payment_in_queue") {
			continue // whom a payment shields is looked up by the run, and what is suggested may change meanwhile
		}
		if want == "" && l.policy.SettleCredit && i.balance > 0 {
			continue // its credit will pay it: the plan may still say why it is left alone until then
		}
		if want == "only_charges_left" && planned == "" && l.policyFor(i.to).Remainder == models.RemainderWaive {
			continue // it is gone by then
		}
		l.compare(i, planned, want, "the plan of %s says", today)
	}
}

// since returns the steps that runs have taken on an invoice since it was as it was before, with their days.
func (l *life) since(i, before *invoice) []string {
	did := []string{}
	for _, t := range i.letters {
		if !t.asked && !slices.Contains(before.letters, t) {
			did = append(did, fmt.Sprintf("%s notice %s %s %s %s", t.Issued, digit(t.Warning), t.Letter.Fee, t.Letter.Interest, t.gross))
		}
	}
	if i.status == "debt_collection" && !before.ended() && !i.asked {
		tally.handOvers.Add(1)
		did = append(did, i.handedOver.String()+" hand_over")
	}
	return did
}

// compare counts a comparison, and reports it where the program did not do what the law says.
func (l *life) compare(i *invoice, is, want, format string, args ...any) {
	l.w.Helper()
	tally.comparisons.Add(1)
	if is != want {
		l.find(i, "%s %q, and by the law it is %q", fmt.Sprintf(format, args...), is, want)
	}
}

// copies returns copies of the invoices, on which runs are simulated.
func (l *life) copies() (books []*invoice) {
	for _, i := range l.invoices {
		copied := *i
		copied.entries, copied.letters = slices.Clone(i.entries), slices.Clone(i.letters)
		books = append(books, &copied)
	}
	return books
}

// runOf returns what the law says of each invoice that is overdue on a day, and does it on the books: the step of the
// day's run, or the first reason that applies (rule L12).
func (l *life) runOf(on models.Date, books []*invoice, shielded map[string]bool) []string {
	if l.policy.SettleCredit && l.policy.Enabled {
		l.moveCredit(on, books)
	}
	day := law.Day{Date: on, NotReady: len(l.missing) > 0, FileLate: l.lastFile != 0 && l.lastFile < law.BankDayBefore(on)}
	said, steps := make([]string, len(books)), make([]law.Step, len(books))
	for n, i := range books {
		if s := l.standing(i, books, on, shielded); s.Overdue(on) {
			steps[n] = s.On(day, l.policyFor(i.to))
			said[n] = describe(s, steps[n])
		}
	}
	for n, i := range books {
		switch step := steps[n]; {
		case step.HandOver:
			i.status = "debt_collection"
		case step.Close:
			left := l.standing(i, books, on, nil).Principal()
			i.post(models.EntryOverdueCharge, left-i.balance, on)
			i.status, i.writtenOff = "closed_other", left
		case step.Letter != nil:
			t := *step.Letter
			i.letters = append(i.letters, &letter{Charged: law.Charged{Letter: t}, left: sending{models.ShipmentSent, on}})
			i.post(models.EntryOverdueCharge, t.Fee, on)
			i.post(models.EntryInterest, t.Interest, on)
		case step.Reason == "only_charges_left" && l.policyFor(i.to).Remainder == models.RemainderWaive:
			i.post(models.EntryOverdueCharge, -i.balance, on)
		}
	}
	return said
}

// post posts an entry on a copy.
func (i *invoice) post(t models.EntryType, amount models.Amount, on models.Date) {
	i.entries = append(i.entries, models.Entry{Type: t, Amount: amount, TransactionDate: on})
	i.balance += amount
}

// moveCredit moves customers' free credit to their open invoices, the oldest due date first (rule L5).
func (l *life) moveCredit(on models.Date, books []*invoice) {
	byDue := slices.SortedStableFunc(slices.Values(books), func(a, b *invoice) int { return int(a.due - b.due) })
	for _, to := range byDue {
		for _, from := range books {
			if from.to != to.to || to.ended() || to.hold.Active(on) || to.to.hold.Active(on) {
				continue // who objects to a claim does not pay it
			}
			if x := min(to.balance, from.free()); x > 0 {
				from.post(models.EntryPayment, x, on)
				to.post(models.EntryPayment, -x, on)
			}
			if x := min(to.balance, -from.credit); x > 0 {
				from.credit += x
				to.post(models.EntryCreditNote, -x, on)
			}
		}
	}
}

// describe writes a step as planOf does.
func describe(s law.Standing, step law.Step) string {
	switch {
	case step.HandOver:
		return "hand_over"
	case step.Close:
		return "closing"
	case step.Letter != nil:
		t := step.Letter
		return fmt.Sprintf("notice %s %s %s %s", digit(t.Warning), t.Fee, t.Interest, s.Balance+t.Fee+t.Interest)
	}
	return step.Reason
}

// planOf returns what the plan of a day says of each invoice.
func (l *life) planOf(on models.Date) map[int]string {
	l.w.Helper()
	said := map[int]string{}
	for _, item := range l.List("/dunning_plan?date=" + on.String()) {
		text := item.Name()
		switch text {
		case "warning":
			continue
		case "left_alone":
			text = item.At("@reason")
		case "notice":
			text = strings.Join([]string{"notice", item.At("@is_incasso_notice"), item.At("@overdue_charge"), item.At("@interest"), item.At("@gross_amount")}, " ")
		}
		said[number(item, "@invoice_number")] = text
	}
	return said
}

// shielded returns the paths of the customers at whom the best suggestion of an open payment points (rules E6g, L3).
func (l *life) shielded() map[string]bool {
	l.w.Helper()
	found := map[string]bool{}
	l.queued = false
	for _, item := range l.List("/unmatched_payments?status=open") {
		l.queued = true
		if best := l.Get(below(item.URI())).Shown().All("suggestions/suggestion[1]"); len(best) > 0 {
			found[below(best[0].At("customer/@uri"))] = true
		}
	}
	return found
}

// afterRun holds what the run has done against the plan (rules E6, L12).
func (l *life) afterRun(today models.Date) {
	l.w.Helper()
	before := l.copies()
	l.review(today)
	for n, i := range l.invoices {
		if before[n].waited {
			continue // its letter may have left or failed in between
		}
		planned := []string{}
		if said := l.plan[i.number]; strings.HasPrefix(said, "notice") || said == "hand_over" {
			planned = []string{today.String() + " " + said}
		}
		l.compare(i, fmt.Sprint(l.since(i, before[n])), fmt.Sprint(planned), "against its plan the run of %s did", today)
		if said := l.plan[i.number]; (said == "closing") != (i.writtenOff > 0 && before[n].writtenOff == 0) {
			l.find(i, "the plan of %s says %q, and the run wrote %s off", today, said, i.writtenOff)
		}
		if p := l.policyFor(i.to); l.plan[i.number] == "only_charges_left" && p.Remainder == models.RemainderWaive && i.balance > 0 {
			l.find(i, "the run of %s did not waive the rest of fees and interest, %s", today, i.balance)
		}
	}
	if l.w.chance(20) {
		l.checkEnds(today + models.Date(l.w.IntN(367)))
	}
	if l.w.chance(5) {
		for n, said := range l.planOf(today) {
			if strings.HasPrefix(said, "notice") || said == "hand_over" {
				l.w.Errorf("%s: after the run of %s the plan still has %q for invoice %d", l.name, today, said, n)
			}
		}
	}
}

// checkEnds holds what the plan of a day says of figures that end against rules E6h and L11.
func (l *life) checkEnds(on models.Date) {
	l.w.Helper()
	want, said := law.Ends(on, l.policy, l.w.newAct), []string{}
	for _, n := range l.Get("/dunning_plan?date=" + on.String()).Shown().All("warning") {
		said = append(said, n.Text)
	}
	tally.comparisons.Add(1)
	if !slices.EqualFunc(said, want, strings.HasPrefix) {
		l.w.Errorf("%s: the plan of %s warns of %q, and by the law of %q", l.name, on, said, want)
	}
}

// judge holds an invoice against the law, given how it was at the last review.
func (l *life) judge(i *invoice, was invoice, today models.Date) {
	l.w.Helper()
	tally.comparisons.Add(1)
	sum := models.Amount(0)
	for _, e := range i.entries {
		sum += e.Amount
	}
	if sum != i.balance {
		l.find(i, "the entries make %s, the balance is %s", sum, i.balance)
	}
	s := l.standing(i, l.invoices, today, nil)
	var letters []law.Charged
	for n, t := range i.letters {
		letters = append(letters, t.Charged)
		if !slices.Contains(was.letters, t) {
			t.asked, i.wanted = i.wanted, false
			l.judgeNew(i, n, s)
		}
		l.judgeSending(i, t)
		if i.letters[n].late != s.Late && !i.moved { // the invoice was sent again, and counts from another day now
			letters = nil
			break
		}
	}
	for n := len(was.withdrawn); n < len(i.withdrawn); n++ {
		l.judgeWithdrawn(i, i.withdrawn[n])
	}
	i.unsettled, i.maybe, i.moved = nil, nil, false
	for _, wrong := range append(s.Overcharged(letters), s.Uncharged(letters)...) {
		if len(letters) == len(i.letters) {
			l.find(i, "%s", wrong)
		}
	}
	if i.status == "debt_collection" && !was.ended() && !i.asked {
		before := l.standing(&was, l.invoices, today, nil)
		if before.Unsent || len(before.Letters) > 0 && before.Letters[len(before.Letters)-1].Unsent {
			l.find(i, "it was handed over on %s, and the invoice or its last letter has not left", today)
		}
		if !slices.ContainsFunc(i.letters, func(t *letter) bool { return t.Warning && t.asIssued().Runs() < today }) {
			l.find(i, "it was handed over on %s, and was not warned of", today)
		}
	}
	i.asked = false
}

// judgeNew holds a new letter against the law: whoever asked for it.
func (l *life) judgeNew(i *invoice, n int, s law.Standing) {
	l.w.Helper()
	t := i.letters[n]
	before := s
	before.Letters = s.Letters[:n]
	before.Balance -= t.Letter.Fee + t.Letter.Interest
	before.Ended = false
	issued := t.asIssued()
	faults := before.Unlawful(issued)
	if t.gross <= t.Letter.Fee+t.Letter.Interest {
		faults = append(faults, "nothing was owed")
	} else {
		faults = slices.DeleteFunc(faults, func(f string) bool { return f == "nothing is owed" }) // it was paid since
	}
	for _, fault := range faults {
		l.find(i, "notice %d of %s: %s", t.Sequence, t.Issued, fault)
	}
	recipient := l.Get(t.path).Shown()
	if got, _ := recipient.Find("recipient/address1"); got != i.to.address && t.Issued == l.w.in.Today() {
		l.find(i, "notice %d of %s went to %q, and the customer lives at %q", t.Sequence, t.Issued, got, i.to.address)
	}
	tally.comparisons.Add(2)
}

// judgeSending holds a letter against what became of it (rules L1, L2).
func (l *life) judgeSending(i *invoice, t *letter) {
	l.w.Helper()
	tally.comparisons.Add(1)
	switch {
	case t.left.state == models.ShipmentFailed || t.left.state == models.ShipmentWithdrawn:
		l.find(i, "the letter of notice %d of %s is %s, and the notice still charges", t.Sequence, t.Issued, t.left.state)
	case t.left.state.HasLeft():
		l.judgeLeft(i, t)
	}
}

// judgeLeft holds a letter that has left against rules L2 and D94.
func (l *life) judgeLeft(i *invoice, t *letter) {
	l.w.Helper()
	left := t.asIssued()
	t.settled = t.settled || left.TooShort() && i.balance <= 0
	for _, wrong := range left.LeftWrong(t.days, t.counts, t.settled) {
		l.find(i, "%s", wrong)
	}
	if i.unsettled != nil && i.unsettled(t.Issued) {
		l.find(i, "notice %d of %s stands, and the invoice had not left", t.Sequence, t.Issued)
	}
}

// judgeWithdrawn holds a notice that was withdrawn against rules L2, L13a, D94 and D98: its letter has not left, or left too
// late, or before its invoice did, and its address still answers.
func (l *life) judgeWithdrawn(i *invoice, t *letter) {
	l.w.Helper()
	tally.comparisons.Add(1)
	left := t.Letter
	left.Left = t.left.on
	if t.left.state.HasLeft() && !left.TooShort() && (i.maybe == nil || !i.maybe(t.Issued)) {
		l.find(i, "notice %d of %s was withdrawn, and its letter has left", t.Sequence, t.Issued)
	}
	if is, _ := l.Get(t.path).Shown().Find("@withdrawn"); is != "1" {
		l.find(i, "notice %d of %s was withdrawn, and does not say so", t.Sequence, t.Issued)
	}
}

// find reports what is wrong with an invoice, and tells its life.
func (l *life) find(i *invoice, format string, args ...any) {
	l.w.Helper()
	tally.findings.Add(1)
	l.w.Errorf("%s, invoice %d: %s", l.name, i.number, fmt.Sprintf(format, args...))
	if i.told {
		return
	}
	i.told = true
	l.w.Log(l.journal(i))
}

// journal tells the life of an invoice, day by day.
func (l *life) journal(i *invoice) string {
	var lines []string
	for _, n := range l.notes {
		if n.number == 0 || n.number == i.number {
			lines = append(lines, n.at+" # "+n.what)
		}
	}
	for _, e := range l.List("/events") {
		if uri, about := e.Find("invoice/@uri"); about && below(uri) == i.path {
			lines = append(lines, e.At("at")+" "+e.At("type")+": "+e.At("text"))
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(a[:10], b[:10]) })
	var now strings.Builder
	fmt.Fprintf(&now, "%s is %s, owes %s, due %s; original %s %s; customer %s at %q, held %v, hold %+v %+v\npolicy: %s\n", i.path, i.status, i.balance, i.due, i.left.state, i.left.on,
		i.to.path, i.to.address, i.to.held, i.hold, i.to.hold, tell(l.policyFor(i.to)))
	for _, e := range i.entries {
		fmt.Fprintf(&now, "  %s %s %s\n", e.TransactionDate, e.Type, e.Amount)
	}
	for _, t := range i.letters {
		fmt.Fprintf(&now, "  %s %+v letter %s %s\n", t.path, t.Charged, t.left.state, t.left.on)
	}
	return "the life of invoice " + fmt.Sprint(i.number) + ":\n" + strings.Join(lines, "\n") + "\n" + now.String()
}
