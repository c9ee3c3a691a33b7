package bankfile

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// Key tells what Anonymise makes of a value. Whoever has it can make the same of a guess: a key that was made up for
// one occasion and forgotten gives nothing away.
type Key [32]byte

// KeyOf returns the key of a seed, for files that are to be made over in the same way.
func KeyOf(seed uint64) Key {
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte("purr anonymise"), seed))
}

// Anonymise copies a payment file with other KIDs, accounts, amounts, references, names and texts. What was equal
// stays equal; a KID stays as long and as valid, an account too, an amount becomes up to half as large again, or
// as small where it is deducted. Sums are made right. Dates, codes, counts and the numbers of transmissions and
// assignments stay, and so does all that is form: Lint finds the same. The error is models.FileFaults where the
// file has faults: then it is not known what in it is what.
func Anonymise(w io.Writer, r io.ReadSeeker, today models.Date, key Key) error {
	report, err := Lint(r, today)
	if err != nil {
		return err
	}
	if len(report.Faults) > 0 {
		return report.Faults
	}
	a := newAnonymiser(key)
	if report.Format == camt.Format {
		return readAgain(r, func() error { return camt.Show(r, known{a}) }, func() error { return camt.Rewrite(w, r, a) })
	}
	return readAgain(r, func() error { return giro.Rewrite(io.Discard, r, known{a}) }, func() error { return giro.Rewrite(w, r, a) })
}

// readAgain reads a file from its beginning, as often as there are readings.
func readAgain(r io.Seeker, readings ...func() error) error {
	for _, read := range readings {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("reading the file again: %w", err)
		}
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// anonymiser is the editor of both formats.
type anonymiser struct {
	accounts, kids, references *pool[string]
	amounts                    *pool[signedAmount]
	key                        Key
}

// signedAmount is an amount that is deducted or not.
type signedAmount struct {
	amount models.Amount
	down   bool
}

func newAnonymiser(key Key) *anonymiser {
	return &anonymiser{
		key:        key,
		accounts:   textPool(key, "account", madeUpAccount),
		kids:       textPool(key, "KID", madeUpKID),
		references: textPool(key, "reference", madeUpReference),
		amounts: newPool(key, "amount", func(a signedAmount) []byte {
			return fmt.Append(nil, int64(a.amount), a.down)
		}, func(rng *rand.Rand, try int, a signedAmount) signedAmount {
			return signedAmount{madeUpAmount(rng, try, a.amount, a.down), a.down}
		}),
	}
}

func textPool(key Key, kind string, invent func(*rand.Rand, string) string) *pool[string] {
	return newPool(key, kind, func(s string) []byte { return []byte(s) }, func(rng *rand.Rand, _ int, s string) string { return invent(rng, s) })
}

// Account returns another account.
func (a *anonymiser) Account(digits string) string { return a.accounts.of(digits) }

// KID returns another KID.
func (a *anonymiser) KID(kid string) string { return a.kids.of(kid) }

// Reference returns another reference.
func (a *anonymiser) Reference(reference string) string {
	if strings.Trim(reference, "0") == "" {
		return reference
	}
	return a.references.of(reference)
}

// Amount returns another amount.
func (a *anonymiser) Amount(amount models.Amount, down bool) models.Amount {
	return a.amounts.of(signedAmount{amount, down}).amount
}

// Text returns another text. Texts that differ by the case of their letters alone still do.
func (a *anonymiser) Text(text string) string {
	rng := rand.New(rand.NewChaCha8(sha256.Sum256(append(a.key[:], strings.ToLower(text)...))))
	fresh := text
	for range 10 {
		if fresh = madeUpText(rng, text); fresh != text {
			break
		}
	}
	return fresh
}

// known is an editor that changes nothing, and tells the anonymiser what is there.
type known struct{ *anonymiser }

func (k known) Account(digits string) string {
	k.accounts.know(digits)
	return digits
}

func (k known) KID(kid string) string {
	k.kids.know(kid)
	return kid
}

func (k known) Reference(reference string) string {
	k.references.know(reference)
	return reference
}

func (k known) Amount(amount models.Amount, _ bool) models.Amount {
	k.amounts.know(signedAmount{amount, false})
	k.amounts.know(signedAmount{amount, true})
	return amount
}

func (k known) Text(text string) string { return text }
