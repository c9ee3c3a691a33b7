package console

import (
	"context"
	"errors"
	"strings"

	"purr/dunning/amends"
	"purr/models"
)

// auditRepayPage shows what there is to put right of what an audit found, and has it put right (rule U6).
type auditRepayPage struct {
	view
	Audit  models.Audit
	Amends []amends.Amend // the first of them
	More   bool           // there are others
	Back   models.Amount  // of those that are shown
}

// amendsShown is how many invoices the page shows before what was found on them is put right.
const amendsShown = 100

var errEnough = errors.New("enough is shown")

// readAmends reads what there is to put right now of the audit in the path.
func (s *Server) readAmends(ctx context.Context, rq *request) (*auditRepayPage, error) {
	id, err := rq.pathID("audit")
	if err != nil {
		return nil, err
	}
	p := &auditRepayPage{}
	if p.Audit, err = s.db.Audit(ctx, rq.creditor.ID, id); err != nil {
		return nil, err
	}
	err = amends.Preview(ctx, s.db, s.cfg.Rules, rq.creditor, id, func(a amends.Amend) error {
		if p.More = len(p.Amends) == amendsShown; p.More {
			return errEnough
		}
		p.Amends, p.Back = append(p.Amends, a), p.Back+a.Back()
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return p, err
}

// Seen says what the page shows, so that nothing else is put right by its button.
func (p *auditRepayPage) Seen() string {
	parts := make([]string, len(p.Amends))
	for i, a := range p.Amends {
		parts[i] = toPath(a.Invoice.ID) + ":" + a.Back().String()
	}
	return strings.Join(parts, " ")
}

// Codes returns the codes of what was wrong on an invoice.
func (p *auditRepayPage) Codes(a amends.Amend) string {
	codes := make([]string, len(a.Wrongs))
	for i, w := range a.Wrongs {
		codes[i] = w.Finding.Text(p.rq.words.Language)
	}
	return strings.Join(codes, " ")
}

func (s *Server) auditRepayPage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.readAmends(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p.view = rq.view("audits.repay", "number", toPath(p.Audit.ID))
	p.Lead = rq.words.SayHTML("audits.repay_lead", "n", len(p.Amends), "sum", p.Back)
	return show("audit_repay", p)
}

// repayAudit puts right what the page showed. If the rows say something else by then, it changes nothing.
func (s *Server) repayAudit(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	saw := f.text("seen")
	if err := f.done(nil); err != nil {
		return reply{}, err
	}
	return rq.actEach(ctx, func() (done, error) {
		p, err := s.readAmends(ctx, rq)
		if err != nil {
			return done{}, err
		}
		if p.Seen() != saw {
			return done{}, models.ChangedMeanwhile(nil)
		}
		back, n := models.Amount(0), 0
		err = amends.Repay(ctx, s.db, s.cfg.Rules, rq.creditor, p.Audit.ID, rq.actor(), func(d amends.Done) {
			back, n = back+d.Back(), n+1
		})
		if err != nil {
			return done{}, err
		}
		return done{to: rq.base + "/operations/audits/" + toPath(p.Audit.ID), message: rq.said("audits.repaid", "n", n, "sum", back)}, nil
	})
}
