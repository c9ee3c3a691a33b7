package shipments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"purr/audit"
	"purr/law"
	"purr/models"
	"purr/store"
)

// SecondLook is what proves each letter of a notice, and each bundle, once more before it leaves: by the reckoning of package audit, which shares
// no thought with the one that made it (rule U8).
type SecondLook struct {
	Rules    *law.Rules // the program's and the operator's
	OnlyWarn bool       // what it disagrees with leaves all the same
}

// AuditPause is how long a letter or a bundle waits that the audit disagrees with, until it is looked at again.
const AuditPause = 24 * time.Hour

// Doubt is what the audit has against a letter or a bundle.
type Doubt struct {
	Findings []audit.Finding // of law or rule
	Asked    models.Amount   // what the letter asks for, or the bundle claims
	Invoice  models.Invoice  // of a joint letter, the first that a finding is of
	Sequence int64           // of the notice, 0 for a hand-over
}

// lawful returns what would have been lawful, as far as the findings say it in øre.
func (d Doubt) lawful() models.Amount {
	sum := d.Asked
	for _, f := range d.Findings {
		sum -= f.Back.Sum()
	}
	return sum
}

// Letters returns what the audit has against the letters of notices among a creditor's shipments, by their IDs. The caller has locked their
// invoices.
func (l SecondLook) Letters(ctx context.Context, tx *store.Tx, ss []models.Shipment) (map[int64]Doubt, error) {
	of := map[models.Document]int64{}
	for _, s := range ss {
		if letter := s.DocumentKind == models.NoticeDocument || s.DocumentKind.Joint(); letter && s.Role() == models.Original && !s.Accepted() {
			of[s.Document()] = s.ID
		}
	}
	if len(of) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	invoices, err := invoicesOf(ctx, tx, ss[0].CreditorID, of)
	if err != nil {
		return nil, err
	}
	cases, err := l.cases(ctx, tx, ss[0].CreditorID, invoices)
	if err != nil {
		return nil, err
	}
	doubts := map[int64]Doubt{}
	for _, c := range cases {
		for _, n := range c.Notices {
			id, leaves := of[n.SentAs()]
			if !leaves || n.Withdrawn != 0 {
				continue
			}
			var v audit.Verdict
			v.Judge(c, audit.Options{Notice: n.ID})
			doubts[id] = doubts[id].with(c, against(v, func(f audit.Finding) bool { return f.NoticeID == n.ID }), n.Gross, int64(n.Sequence))
		}
	}
	for id, d := range doubts {
		if len(d.Findings) == 0 {
			delete(doubts, id)
		}
	}
	return doubts, nil
}

// again returns those of the shipments, by their IDs, that the audit disagreed with before, and still does.
func (l SecondLook) again(ctx context.Context, tx *store.Tx, ss []models.Shipment) (map[int64]bool, error) {
	still := map[int64]bool{}
	kept := slices.DeleteFunc(slices.Clone(ss), func(s models.Shipment) bool { return s.KeptBack != models.KeptAudit })
	if len(kept) == 0 || l.OnlyWarn {
		return still, nil
	}
	doubts, err := l.Letters(ctx, tx, kept)
	if err != nil {
		return nil, err
	}
	for id := range doubts {
		still[id] = true
	}
	return still, nil
}

// Bundle returns what the audit has against a hand-over whose bundle is to leave.
func (l SecondLook) Bundle(ctx context.Context, tx *store.Tx, h models.HandOver) (Doubt, error) {
	cases, err := l.cases(ctx, tx, h.CreditorID, []int64{h.InvoiceID})
	if err != nil || len(cases) == 0 {
		return Doubt{}, err
	}
	var v audit.Verdict
	v.Judge(cases[0], audit.Options{})
	return Doubt{}.with(cases[0], against(v, func(f audit.Finding) bool { return f.HandOverID == h.ID }), cases[0].Invoice.Balance, 0), nil
}

func (l SecondLook) cases(ctx context.Context, tx *store.Tx, creditorID int64, invoices []int64) ([]*audit.Case, error) {
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	auditor, err := audit.New(ctx, tx, l.Rules, creditor)
	if err != nil {
		return nil, err
	}
	return auditor.Cases(ctx, invoices...)
}

// invoicesOf returns the invoices that letters are on.
func invoicesOf(ctx context.Context, tx *store.Tx, creditorID int64, letters map[models.Document]int64) ([]int64, error) {
	var notices, joint []int64
	for d := range letters {
		if d.Kind.Joint() {
			joint = append(joint, d.ID)
		} else {
			notices = append(notices, d.ID)
		}
	}
	slices.Sort(notices)
	slices.Sort(joint)
	invoices, err := tx.InvoicesOfNotices(ctx, creditorID, notices)
	if err != nil {
		return nil, err
	}
	shared, err := tx.InvoicesOfLetters(ctx, creditorID, joint)
	if err != nil {
		return nil, err
	}
	return append(invoices, shared...), nil
}

// against returns the findings of law or rule among those that a letter is asked about.
func against(v audit.Verdict, of func(audit.Finding) bool) []audit.Finding {
	return slices.DeleteFunc(v.Findings, func(f audit.Finding) bool { return f.Class() == audit.Doubt || !of(f) })
}

// with adds what is against one notice, or a hand-over, to a doubt.
func (d Doubt) with(c *audit.Case, findings []audit.Finding, asked models.Amount, sequence int64) Doubt {
	if len(d.Findings) == 0 {
		d.Invoice, d.Sequence = c.Invoice, sequence
	}
	d.Findings, d.Asked = append(d.Findings, findings...), d.Asked+asked
	return d
}

// Event returns the event that tells a person of a doubt, with both reckonings. subject is the shipment or the hand-over.
func (l SecondLook) Event(d Doubt, subject int64) models.Event {
	var codes, said []string
	for _, f := range d.Findings {
		codes, said = append(codes, f.Code.String()), append(said, f.Text("en"))
	}
	facts := models.Facts{
		"invoice_number": d.Invoice.Number, "amount": d.Asked, "lawful_amount": d.lawful(), "findings": strings.Join(codes, " "), "held_back": !l.OnlyWarn,
	}
	what := "The bundle of invoice %d"
	if d.Sequence != 0 {
		facts["sequence_number"], what = d.Sequence, "The letter of a notice on invoice %d"
	}
	does := "waits for a person"
	if l.OnlyWarn {
		does = "leaves all the same, as audit-before-sending is set"
	}
	return models.Event{
		CreditorID: d.Invoice.CreditorID, Type: models.EventAuditDisagreed, InvoiceID: d.Invoice.ID, CustomerID: d.Invoice.CustomerID, SubjectID: subject, Facts: facts,
		Text: fmt.Sprintf(what+" asks for %s, the audit reckons %s, and it %s: %s", d.Invoice.Number, d.Asked, d.lawful(), does, strings.Join(said, "; ")),
	}
}
