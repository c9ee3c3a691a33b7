//go:build whole

package lives_test

import (
	"fmt"
	"slices"
	"time"

	"purr/models"
)

// post is what became of letters in truth, by their documents: what the world did with them, and told.
type post map[document][]*sending

type document struct {
	kind models.DocumentKind
	id   int64
}

// sending is one sending of a shipment. A shipment that came back and is sent again has several.
type sending struct {
	shipment  int64
	left      models.Date // the day on which it left, by what was told last
	known     time.Time   // when that was told, zero for what the channel told at once
	back      models.Date // the day on which it came back, zero if it did not
	backKnown time.Time
	failed    time.Time // when it was told that it had never left, zero if it was not
	delivered bool
	settled   bool // nothing was claimed when it was told that it had left late
}

// ended reports whether the sending has come back or failed.
func (s *sending) ended() bool { return s.back != 0 || !s.failed.IsZero() }

// follow notes the sendings that are new in the rows.
func (p post) follow(b books) {
	for _, s := range b.shipments {
		d := document{s.kind, s.document}
		of := p[d]
		going := slices.ContainsFunc(of, func(k *sending) bool { return k.shipment == s.id && !k.ended() })
		if s.state.HasLeft() && !going {
			p[d] = append(of, &sending{shipment: s.id, left: s.sent})
		}
	}
}

// before returns the last sending of a document that had left by a day, and had not come back before it.
func (p post) before(kind models.DocumentKind, id int64, on models.Date) (*sending, bool) {
	for _, s := range slices.Backward(p[document{kind, id}]) {
		if s.failed.IsZero() && s.left <= on && (s.back == 0 || s.back >= on) {
			return s, true
		}
	}
	return nil, false
}

// first returns the first sending of a notice's letter that did not fail.
func (p post) first(noticeID int64) (*sending, bool) {
	all := p[document{models.NoticeDocument, noticeID}]
	if n := slices.IndexFunc(all, func(s *sending) bool { return s.failed.IsZero() }); n >= 0 {
		return all[n], true
	}
	return nil, false
}

// counts returns until when a notice counts: its due date, and as many days more as its letter left late (rule D94).
func (p post) counts(n notice) models.Date {
	if s, left := p.first(n.id); left {
		return n.due + max(0, s.left-n.issued)
	}
	return n.due
}

// tell tells the sendings of a document.
func (p post) tell(kind models.DocumentKind, id int64) (told string) {
	for _, s := range p[document{kind, id}] {
		told += fmt.Sprintf("[left %s known %s", s.left, s.known.Format(time.DateOnly))
		if s.back != 0 {
			told += fmt.Sprintf(", back %s known %s", s.back, s.backKnown.Format(time.DateOnly))
		}
		if !s.failed.IsZero() {
			told += ", failed, known " + s.failed.Format(time.DateOnly)
		}
		told += "]"
	}
	return told
}

// queue is whom the payments in the queue pointed at, alone, at some time while they were in it.
type queue struct {
	pointed map[int64]map[int64]models.Date // since when, by payment and customer
	seen    int64                           // the last notice that was judged
}

// point notes at whom the open payments without KID point now, by their amounts (rule D95).
func (q *queue) point(b books, on models.Date) {
	if q.pointed == nil {
		q.pointed = map[int64]map[int64]models.Date{}
	}
	for _, p := range b.payments {
		if !p.open {
			delete(q.pointed, p.id)
			continue
		}
		if p.kid != "" || p.amount <= 0 {
			continue
		}
		if customer, alone := b.aloneWith(p.amount); alone {
			if q.pointed[p.id] == nil {
				q.pointed[p.id] = map[int64]models.Date{}
			}
			if q.pointed[p.id][customer] == 0 {
				q.pointed[p.id][customer] = on
			}
		}
	}
}

// aloneWith returns the one customer who has an open invoice of which just the amount is claimed, and false if there is none or another
// one owes as much: claimed, or together with a repayment.
func (b books) aloneWith(amount models.Amount) (customer int64, alone bool) {
	owe := map[int64]bool{} // whether it is claimed
	for _, i := range b.invoices {
		claimed := i.balance-i.repaysOwing == amount
		if !i.closed && i.balance > 0 && (claimed || i.balance == amount) {
			owe[i.customer] = owe[i.customer] || claimed
		}
	}
	for c, claimed := range owe {
		customer, alone = c, claimed && len(owe) == 1
	}
	return customer, alone
}

// wrong returns the new notices to customers at whom a payment points that is still open (rules L3, D95).
func (q *queue) wrong(b books) (found []finding) {
	last := q.seen
	for _, n := range b.notices {
		last = max(last, n.id)
		if n.id <= q.seen {
			continue
		}
		for _, p := range b.payments {
			if since, pointed := q.pointed[p.id][n.customer]; p.open && pointed {
				found = append(found, finding{n.invoice, "shield", fmt.Sprintf("notice %d of %s, and payment %d of %s in the queue points at customer %d alone since %s", n.id, n.issued, p.id, p.amount, n.customer, since)})
			}
		}
	}
	q.seen = last
	return found
}
