package camt

import (
	"cmp"
	"fmt"
	"slices"

	"purr/models"
)

// isAmount reports whether the text is money. Sums have no currency.
func isAmount(at *place) bool {
	return at.currency != "" || at.within("TxsSummry") && slices.Contains([]string{"Sum", "TtlNetNtryAmt", "Amt"}, at.name())
}

// plan is the first reading, which finds what all amounts become. Those that are no sums are the editor's; a sum
// becomes what its parts add up to, and is off that by as much as the editor says.
type plan struct {
	editor     Editor
	amounts    []models.Amount // that can be read, in the order in which they stand
	directions []string        // of the sums, likewise

	summary         []netOrSum
	credits, debits change
	entry           entryPlan
	tx              txPlan
	err             error
}

// change is a sum before and after.
type change struct{ old, fresh models.Amount }

func (c *change) add(d change) {
	c.old, c.fresh = plus(c.old, d.old), plus(c.fresh, d.fresh)
}

func (c change) signed(negative bool) change {
	if negative {
		return change{-c.old, -c.fresh}
	}
	return c
}

// said is an amount that stands somewhere: its place in plan.amounts, and what it is.
type said struct {
	index    int // -1 where there is none
	amount   models.Amount
	currency string
}

var unsaid = said{index: -1}

func (s said) in(currency string) bool { return s.index >= 0 && s.currency == currency }

// netOrSum is an amount of a notification's summary.
type netOrSum struct {
	said
	name  string // of the sum: TtlNtries, TtlCdtNtries, TtlDbtNtries, or net
	index int    // of the direction of a net sum, in plan.directions; -1 where there is none
}

// entryPlan is what is gathered of an entry.
type entryPlan struct {
	said
	direction    string
	others       []said // that stand in the entry and in none of its transactions
	batch        said
	batchSum     change // signed, of the transactions of one NtryDtls
	sum          change // signed, of those that say their amount
	known        bool   // one does
	transactions int
	parts        change // of the last transaction
	hasParts     bool
}

// txPlan is what is gathered of a transaction.
type txPlan struct {
	amount, detailed said
	direction        string
	others, parts    []said
	deducted         []bool // of the parts
}

func (p *plan) failure() error { return p.err }

func (p *plan) words(text string) string { return text }

func (p *plan) start(at *place) {
	switch {
	case at.is("Ntfctn/Ntry"):
		p.entry = entryPlan{said: unsaid, batch: unsaid}
	case at.is("Ntry/NtryDtls"):
		p.entry.batch, p.entry.batchSum = unsaid, change{}
	case at.is("NtryDtls/TxDtls"):
		p.tx = txPlan{amount: unsaid, detailed: unsaid, others: p.tx.others[:0], parts: p.tx.parts[:0], deducted: p.tx.deducted[:0]}
	case at.is("BkToCstmrDbtCdtNtfctn/Ntfctn"):
		p.summary, p.credits, p.debits = p.summary[:0], change{}, change{}
	}
}

func (p *plan) end(at *place) {
	switch {
	case at.is("NtryDtls/TxDtls"):
		p.endTransaction()
	case at.is("Ntry/NtryDtls"):
		p.endBatch()
	case at.is("Ntfctn/Ntry"):
		p.endEntry()
	case at.is("BkToCstmrDbtCdtNtfctn/Ntfctn"):
		p.endNotification()
	}
}

func (p *plan) leaf(at *place, text string) string {
	switch {
	case isAmount(at):
		if amount, err := parseAmount(text); err == nil {
			p.amounts = append(p.amounts, p.grown(amount))
			p.note(at, said{len(p.amounts) - 1, amount, at.currency})
		}
	case at.is("TxsSummry/TtlNtries/CdtDbtInd"), at.is("TxsSummry/TtlNtries/TtlNetNtry/CdtDbtInd"):
		p.directions = append(p.directions, text)
		p.noteDirection(len(p.directions) - 1)
	case at.is("Ntfctn/Ntry/CdtDbtInd"):
		p.entry.direction = text
	case at.is("NtryDtls/TxDtls/CdtDbtInd"):
		p.tx.direction = text
	}
	return text
}

// total returns what a sum becomes whose parts change: what they add up to then, and as wrong as it was.
func (p *plan) total(old models.Amount, parts change) models.Amount {
	if off := old - parts.old; off < 0 {
		return parts.fresh - p.edited(-off, true)
	}
	return parts.fresh + p.grown(old-parts.old)
}

// grown asks the editor for an amount.
func (p *plan) grown(amount models.Amount) models.Amount { return p.edited(amount, false) }

func (p *plan) edited(amount models.Amount, down bool) models.Amount {
	if amount == 0 {
		return 0
	}
	return p.editor.Amount(amount, down)
}

// note keeps an amount by what it is of.
func (p *plan) note(at *place, s said) {
	switch {
	case at.is("TxDtls/Amt"):
		p.tx.amount = s
	case at.is("TxDtls/AmtDtls/TxAmt/Amt"):
		p.tx.detailed = s
	case at.is("Strd/RfrdDocAmt/RmtdAmt"), at.is("Strd/RfrdDocAmt/CdtNoteAmt"):
		p.tx.parts = append(p.tx.parts, s)
		p.tx.deducted = append(p.tx.deducted, at.name() == "CdtNoteAmt")
	case at.within("TxDtls"):
		p.tx.others = append(p.tx.others, s)
	case at.is("Ntfctn/Ntry/Amt"):
		p.entry.said = s
	case at.is("NtryDtls/Btch/TtlAmt"):
		p.entry.batch = s
	case at.within("Ntry"):
		p.entry.others = append(p.entry.others, s)
	case at.is("TtlNtries/TtlNetNtryAmt"), at.is("TtlNtries/TtlNetNtry/Amt"):
		p.summary = append(p.summary, netOrSum{s, "net", -1})
	case at.name() == "Sum" && at.up(2) == "TxsSummry":
		p.summary = append(p.summary, netOrSum{s, at.up(1), -1})
	}
}

func (p *plan) noteDirection(index int) {
	for i := range p.summary {
		if p.summary[i].name == "net" {
			p.summary[i].index = index
		}
	}
}

// become sets what an amount becomes, and what those become that are the same before.
func (p *plan) become(s said, fresh models.Amount, same ...said) {
	if fresh < 0 || fresh > MaxAmount {
		if p.err == nil {
			p.err = fmt.Errorf("camt: an amount of %s would become %s", s.amount, fresh)
		}
		return
	}
	p.amounts[s.index] = fresh
	for _, o := range same {
		if o.index >= 0 && o.amount == s.amount && o.currency == s.currency {
			p.amounts[o.index] = fresh
		}
	}
}

func (p *plan) endTransaction() {
	e, tx := &p.entry, &p.tx
	e.transactions++
	e.parts, e.hasParts = p.sumParts()
	counted := tx.amount
	if !counted.in(e.currency) {
		counted = tx.detailed
	}
	if !counted.in(e.currency) {
		return
	}
	against := cmp.Or(tx.direction, e.direction) != e.direction
	fresh := p.edited(counted.amount, against)
	if e.hasParts {
		fresh = p.total(counted.amount, e.parts)
	}
	p.become(counted, fresh, append(tx.others, tx.amount, tx.detailed)...)
	c := change{counted.amount, fresh}.signed(cmp.Or(tx.direction, e.direction) == Debit)
	e.known = true
	e.sum.add(c)
	e.batchSum.add(c)
}

// sumParts adds up what a transaction says of the invoices that it is for, and reports whether it says anything.
func (p *plan) sumParts() (sum change, some bool) {
	for i, part := range p.tx.parts {
		if part.currency != p.entry.currency {
			continue
		}
		fresh := p.edited(part.amount, p.tx.deducted[i])
		p.become(part, fresh)
		sum.add(change{part.amount, fresh}.signed(p.tx.deducted[i]))
		some = true
	}
	return sum, some
}

func (p *plan) endBatch() {
	e := &p.entry
	if !e.batch.in(e.currency) {
		return
	}
	sum := change{max(e.batchSum.old, -e.batchSum.old), max(e.batchSum.fresh, -e.batchSum.fresh)}
	if fresh := p.total(e.batch.amount, sum); fresh >= 0 {
		p.become(e.batch, fresh)
	}
}

func (p *plan) endEntry() {
	e := &p.entry
	if e.index < 0 {
		return
	}
	fresh := p.grown(e.amount)
	switch {
	case e.known:
		fresh = p.total(e.amount, e.sum.signed(e.direction == Debit))
	case e.transactions == 1 && e.hasParts:
		fresh = p.total(e.amount, e.parts)
	}
	p.become(e.said, fresh, e.others...)
	if c := (change{e.amount, fresh}); e.direction == Debit {
		p.debits.add(c)
	} else {
		p.credits.add(c)
	}
}

func (p *plan) endNotification() {
	all := p.credits
	all.add(p.debits)
	for _, s := range p.summary {
		switch s.name {
		case "TtlNtries":
			p.become(s.said, p.total(s.amount, all))
		case "TtlCdtNtries":
			p.become(s.said, p.total(s.amount, p.credits))
		case "TtlDbtNtries":
			p.become(s.said, p.total(s.amount, p.debits))
		case "net":
			p.becomeNet(s)
		}
	}
}

// becomeNet sets a net sum and its direction, which turns where debits grow more than credits. A sum that was
// wrong becomes any other.
func (p *plan) becomeNet(s netOrSum) {
	direction := ""
	if s.index >= 0 {
		direction = p.directions[s.index]
	}
	net := p.credits.fresh - p.debits.fresh
	switch {
	case signed(direction, s.amount) != p.credits.old-p.debits.old:
	case s.index < 0:
		p.become(s.said, net)
	default:
		p.become(s.said, max(net, -net))
		if net > 0 {
			p.directions[s.index] = Credit
		} else if net < 0 {
			p.directions[s.index] = Debit
		}
	}
}
