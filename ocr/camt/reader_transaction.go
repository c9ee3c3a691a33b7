package camt

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// details collects the data of a transaction while it is read.
type details struct {
	line               int
	amount, detailed   money // of the transaction, and of its amount details
	direction          string
	name, ultimateName string
	debitAccount       string
	bankReference      string
	endToEndID         string
	transactionID      string
	bankDate           models.Date
	references         []reference
	text               []byte
	cut                bool
	signed             models.Amount // øre, if known
	known              bool
}

// addText appends to the text, up to maxText characters.
func (d *details) addText(text string) {
	if d.cut {
		return
	}
	if text != "" && len(d.text) > 0 {
		text = " " + text
	}
	room := maxText - utf8.RuneCount(d.text)
	for _, c := range text {
		if room--; room < 0 {
			d.cut = true
			return
		}
		d.text = utf8.AppendRune(d.text, c)
	}
}

// reference is one invoice or credit note that a payment is for.
type reference struct {
	line                 int
	code, issuer, number string   // of the creditor's reference
	kid                  string   // the number, if it is a KID
	others               []string // other identifications of the invoice, for a person
	remitted, deducted   money
}

// document is an invoice or a credit note by its number.
type document struct{ code, number string }

func (r *Reader) startTransaction() {
	*r.tx = details{line: r.line, references: r.tx.references[:0], text: r.tx.text[:0]}
}

func (r *Reader) freeText(text string) { r.tx.addText(text) }

func (r *Reader) startReference() {
	r.countReference(len(r.tx.references))
	r.tx.references = append(r.tx.references, reference{line: r.line})
	r.document = document{}
}

// countReference counts an invoice of the payment. It ends the reading after maxReferences.
func (r *Reader) countReference(before int) {
	if before >= maxReferences {
		r.stop(CodeTooMany, "a transaction has more than %d references", maxReferences)
	}
}

func (r *Reader) endDocument() {
	if r.document.number != "" {
		ref := &r.tx.references[len(r.tx.references)-1]
		r.countReference(len(ref.others))
		ref.others = append(ref.others, strings.TrimSpace(r.document.code+" "+r.document.number))
	}
	r.document = document{}
}

// endReference recognises a KID by the code of the reference, because the codes of transactions differ between banks.
// An ISO 11649 reference, "RF...", has the same code.
func (r *Reader) endReference() {
	last := len(r.tx.references) - 1
	ref := &r.tx.references[last]
	switch {
	case ref.number == "":
	case ref.code == "SCOR" && ref.issuer != "ISO" && !strings.HasPrefix(ref.number, "RF"):
		ref.kid = ref.number
	case ref.code == "SCOR" || ref.code == "":
		ref.others = append(ref.others, ref.number)
	default:
		ref.others = append(ref.others, ref.code+" "+ref.number)
	}
	if ref.kid == "" && len(ref.others) == 0 && !ref.remitted.given && !ref.deducted.given {
		r.tx.references = r.tx.references[:last] // it has only free text
	}
}

// endTransaction emits the transaction before this one, because the entry is now known to have more than one.
func (r *Reader) endTransaction() {
	d, b := r.tx, &r.booking
	r.setAmount(d)
	if d.cut {
		r.warnAt(d.line, CodeTextCut, "the text is longer than %d characters: its end is left out", maxText)
	}
	if b.transactions++; b.transactions > 1 {
		if !d.known || !r.held.known {
			r.doubt("a transaction does not say its amount, and the entry has others")
		}
		r.emit(r.held, r.held.signed)
	}
	b.batch.transactions++
	b.batch.found = plus(b.batch.found, d.signed)
	b.batch.unknown = b.batch.unknown || !d.known
	r.tx, r.held = r.held, r.tx
}

// setAmount finds the transaction's amount in the entry's currency.
func (r *Reader) setAmount(d *details) {
	d.direction = cmp.Or(d.direction, r.entry.Direction)
	for _, m := range []money{d.amount, d.detailed} {
		if m.in(r.entry.Currency) {
			d.signed, d.known = signed(d.direction, m.amount), true
			return
		}
	}
}

// emit emits a transaction. If the transaction gives an amount for each invoice, emit emits it in parts.
func (r *Reader) emit(d *details, amount models.Amount) {
	direction := cmp.Or(d.direction, r.entry.Direction)
	refs := d.references
	switch {
	case r.entry.Ignored():
	case oneKID(refs):
		for i := range refs {
			d.addText(strings.Join(refs[i].others, " "))
		}
	case direction == Credit && !r.entry.Reversal && r.addUp(refs, amount):
		r.emitParts(d, direction)
		return
	default:
		for i := range refs {
			d.addText(refs[i].String())
		}
		r.warnAt(d.line, CodeUnclearReference, "the transaction has %d references, and does not say how much of %s is for which", len(refs), amount)
	}
	tx := d.transaction(amount, direction)
	if oneKID(refs) && len(refs) > 0 {
		tx.KID = refs[0].kid
	}
	r.add(tx)
}

// oneKID reports whether the references together have at most one KID.
func oneKID(refs []reference) bool {
	for i := range refs {
		if refs[i].kid != refs[0].kid || len(refs) > 1 && refs[i].kid == "" {
			return false
		}
	}
	return true
}

// addUp reports whether each reference has an amount, and the amounts add up to the transaction's.
func (r *Reader) addUp(refs []reference, amount models.Amount) bool {
	var sum models.Amount
	for i := range refs {
		ref := &refs[i]
		if !ref.amountIn(r.entry.Currency) {
			return false
		}
		sum = plus(sum, ref.amount())
	}
	return sum == amount
}

// amountIn reports whether the reference has an amount in the currency, and none in another.
func (ref *reference) amountIn(currency string) bool {
	for _, m := range []money{ref.remitted, ref.deducted} {
		if m.given && m.currency != currency {
			return false
		}
	}
	return ref.remitted.given || ref.deducted.given
}

// amount returns the amount for the invoice. It is negative for a credit note that is deducted.
func (ref *reference) amount() models.Amount { return ref.remitted.amount - ref.deducted.amount }

// String describes the reference and its amount for a person.
func (ref *reference) String() string {
	words := ref.others
	if ref.kid != "" {
		words = append([]string{"KID " + ref.kid}, words...)
	}
	if ref.remitted.given || ref.deducted.given {
		words = append(words, ref.amount().String())
	}
	return strings.Join(words, " ")
}

// emitParts emits a transaction for each reference.
func (r *Reader) emitParts(d *details, direction string) {
	said := len(d.text)
	for i := range d.references {
		ref := &d.references[i]
		d.text = d.text[:said]
		d.addText(strings.Join(ref.others, " "))
		tx := d.transaction(ref.amount(), direction)
		tx.Line, tx.Part, tx.KID = ref.line, i+1, ref.kid
		r.add(tx)
	}
}

// ultimate returns the name of whom the payer paid for, if it is not the payer's.
func (d *details) ultimate() string {
	if d.name == "" || d.ultimateName == d.name {
		return ""
	}
	return d.ultimateName
}

// transaction returns the transaction of the details, without a KID.
func (d *details) transaction(amount models.Amount, direction string) Transaction {
	return Transaction{
		Line: d.line, Amount: amount, Direction: direction, Name: cmp.Or(d.name, d.ultimateName), Ultimate: d.ultimate(), Text: string(d.text),
		DebitAccount: d.debitAccount, BankReference: d.bankReference, TransactionID: d.transactionID, EndToEndID: d.endToEndID,
		BankDate: d.bankDate,
	}
}
