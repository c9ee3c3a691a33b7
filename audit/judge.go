package audit

import (
	"fmt"
	"maps"
	"slices"

	"purr/models"
)

// Verdict is what came of judging.
type Verdict struct {
	Letters  int64 // notices and hand-overs
	Checks   int64 // questions that were answered
	Unknown  int64 // questions that the rows do not answer
	Findings []Finding
	Answers  []Answer // with Explain: every question in order

	kinds [codes]bool
}

// Kinds returns how many kinds of questions were answered.
func (v *Verdict) Kinds() (n int) {
	for _, asked := range v.kinds {
		if asked {
			n++
		}
	}
	return n
}

// Asked returns the codes of the kinds of questions that were answered.
func (v *Verdict) Asked() (codes []string) {
	for i, asked := range v.kinds {
		if asked {
			codes = append(codes, Code(i).String())
		}
	}
	return codes
}

// Back returns what is to be paid back in all.
func (v *Verdict) Back() (sum models.Amount) {
	for _, f := range v.Findings {
		sum += f.Back.Sum()
	}
	return sum
}

// Options says which questions are asked of a case.
type Options struct {
	Letters  [2]models.Date // only of notices and hand-overs of these days, inclusive; zero is no limit
	Explain  bool           // keep every answer
	Notice   int64          // only this notice; zero for all
	HandOver int64          // only this hand-over; zero for all
	Most     int            // how many invoices JudgeSome judges at most; zero for some hundreds
	Files    Kept           // reads kept bytes, which are then held against the rows too (--deep); may be nil

	// Judged is called with each case and what was found of it, in the order of the invoices; it may be nil.
	Judged func(c *Case, found []Finding)
}

// takes reports whether a letter of a day is asked about.
func (o Options) takes(day models.Date) bool {
	return day >= o.Letters[0] && (o.Letters[1] == 0 || day <= o.Letters[1])
}

// Judge asks every question of a case, and adds the answers to the verdict.
func (v *Verdict) Judge(c *Case, o Options) {
	j := &judge{Case: c, verdict: v, explain: o.Explain, files: o.Files}
	for i := range c.Notices {
		n := &c.Notices[i]
		if !o.takes(n.IssueDate) || o.HandOver != 0 || o.Notice != 0 && n.ID != o.Notice {
			continue
		}
		v.Letters++
		j.notice = n
		if n.Adopted || n.sheet.Adopted { // another system sent it, and nobody knows how it came about (rule L17)
			j.unknown(nothingOwed)
			continue
		}
		j.owed()
		j.order()
		j.fee()
		j.interest()
		j.letter()
		if j.files != nil {
			j.kept()
		}
	}
	j.notice = nil
	for i := range c.HandOvers {
		if h := &c.HandOvers[i]; o.takes(h.HandedOver) && o.Notice == 0 && (o.HandOver == 0 || h.ID == o.HandOver) {
			v.Letters++
			j.handOver(h)
		}
	}
	if o.Notice == 0 && o.HandOver == 0 {
		j.books()
	}
	found := c.settle(j.found)
	if o.HandOver == 0 {
		found = c.putRight(found, o.Notice)
	}
	v.Findings = append(v.Findings, found...)
	if o.Judged != nil {
		o.Judged(c, found)
	}
}

// judge asks the questions of one case.
type judge struct {
	*Case

	verdict *Verdict
	explain bool
	files   Kept // nil if the kept bytes are not asked
	found   []Finding
	notice  *Notice // the one that is asked about, or nil
}

// ask counts a question with its answer. If it is answered with no, ask returns the new finding, so that the caller may say what
// is to be paid back; else nil. found is what is, and expected what should have been: they are written only where they are shown.
func (j *judge) ask(code Code, holds bool, found, expected any, rows ...named) *Finding {
	j.verdict.Checks++
	j.verdict.kinds[code] = true
	if holds && !j.explain {
		return nil
	}
	if n := j.notice; n != nil && len(rows) == 0 {
		rows = []named{row("overdue_notices", n.ID)}
	}
	names := namesOf(rows)
	if j.explain {
		j.verdict.Answers = append(j.verdict.Answers, Answer{Code: code, NoticeID: j.noticeID(), Rows: names, Expected: told(expected), Found: told(found), Holds: holds})
	}
	if holds {
		return nil
	}
	i := j.Invoice
	j.found = append(j.found, Finding{
		Code: code, CreditorID: i.CreditorID, CustomerID: i.CustomerID, InvoiceID: i.ID, Invoice: i.Number, NoticeID: j.noticeID(), Rows: names, Expected: told(expected), Found: told(found),
	})
	return &j.found[len(j.found)-1]
}

// unknown counts a question that the rows do not answer.
func (j *judge) unknown(code Code) {
	j.verdict.Unknown++
	if j.explain {
		j.verdict.Answers = append(j.verdict.Answers, Answer{Code: code, NoticeID: j.noticeID(), Unknown: true, Rows: []string{row("invoices", j.Invoice.ID).String()}})
	}
}

func (j *judge) noticeID() int64 {
	if j.notice == nil {
		return 0
	}
	return j.notice.ID
}

// told writes a value: nothing for nil.
func told(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return fmt.Sprint(value)
}

// back says that of a notice's charges no more was lawful than is given: what stands above it is to be paid back. A nil finding takes nothing.
func (f *Finding) back(net, lawful Charges) {
	if f != nil {
		f.Back = Charges{max(0, net.Fee-max(0, lawful.Fee)), max(0, net.Interest-max(0, lawful.Interest))}
	}
}

// settle says what each finding gives back, so that no øre is given back twice. What was reversed besides, by a person or by a credit
// note, counts first against what was too much. A finding that speaks only of what stands goes where nothing of it stands any more.
func (c *Case) settle(found []Finding) []Finding {
	if len(found) == 0 {
		return nil
	}
	most := map[int64]Charges{} // by notice
	for _, f := range found {
		m := most[f.NoticeID]
		most[f.NoticeID] = Charges{max(m.Fee, f.Back.Fee), max(m.Interest, f.Back.Interest)}
	}
	pool := c.unnamed()
	for _, id := range slices.Sorted(maps.Keys(most)) {
		m := most[id]
		fee, interest := min(m.Fee, max(0, -pool.Fee)), min(m.Interest, max(0, -pool.Interest))
		pool.Fee, pool.Interest = pool.Fee+fee, pool.Interest+interest
		most[id] = Charges{m.Fee - fee, m.Interest - interest}
	}
	kept := found[:0]
	for _, f := range found {
		m := most[f.NoticeID]
		f.Back = Charges{min(f.Back.Fee, m.Fee), min(f.Back.Interest, m.Interest)}
		if !f.standing || f.Back.Sum() > 0 {
			kept = append(kept, f)
		}
	}
	slices.SortStableFunc(kept, func(a, b Finding) int { return int(b.Back.Sum() - a.Back.Sum()) })
	given := map[int64]Charges{}
	for i := range kept {
		f := &kept[i]
		g := given[f.NoticeID]
		given[f.NoticeID] = Charges{max(g.Fee, f.Back.Fee), max(g.Interest, f.Back.Interest)}
		f.Back = Charges{max(0, f.Back.Fee-g.Fee), max(0, f.Back.Interest-g.Interest)}
	}
	return kept
}

// putRight adds the findings that were put right before and are none by what the rows say now (rule U6): they stay findings, with nothing to pay
// back. Only those of a notice are added, if one is given.
func (c *Case) putRight(found []Finding, notice int64) []Finding {
	for _, r := range c.Repaid {
		code, known := Named(r.Code)
		is := func(f Finding) bool { return f.Code == code && f.NoticeID == r.NoticeID }
		if !known || notice != 0 && r.NoticeID != notice || slices.ContainsFunc(found, is) {
			continue
		}
		found = append(found, Finding{
			Code: code, CreditorID: r.CreditorID, CustomerID: r.CustomerID, InvoiceID: r.InvoiceID, Invoice: c.Invoice.Number, NoticeID: r.NoticeID,
			Rows: []string{row("audit_repayments", r.ID).String()}, Expected: r.Expected, Found: r.Found,
		})
	}
	return found
}

// Groundless reports whether the finding says that the step itself was unlawful, and not only what it charged: the letter should not have
// been sent, or the claim not been handed over.
func (f Finding) Groundless() bool {
	ofStep := f.Code >= nothingOwed && f.Code <= ownWarning || f.Code >= noWarning && f.Code <= handOverBeforeDue
	return ofStep && f.Class() == Law
}

// backFee says that no more than an amount of the notice's fee was lawful.
func (j *judge) backFee(f *Finding, lawful models.Amount) {
	if f != nil {
		net := j.net(j.notice)
		f.back(net, Charges{lawful, net.Interest})
	}
}

// backInterest says that no more than an amount of the notice's interest was lawful.
func (j *judge) backInterest(f *Finding, lawful models.Amount) {
	if f != nil {
		net := j.net(j.notice)
		f.back(net, Charges{net.Fee, lawful})
	}
}

// backAll says that nothing of the notice's charges was lawful.
func (j *judge) backAll(f *Finding) {
	if f != nil {
		f.back(j.net(j.notice), Charges{})
	}
}

// stands says that a finding is one only while some of its charges stand.
func (f *Finding) stands() *Finding {
	if f != nil {
		f.standing = true
	}
	return f
}
