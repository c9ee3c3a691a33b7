package bankfile

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"purr/models"
	"purr/ocr/camt"
)

// Key decides the new value of each old value. A person who has the key can test guesses of the old values. A random
// key that is thrown away makes this impossible.
type Key [32]byte

// KeyOf returns the key of a seed. Values that two files share stay equal in copies with the same seed.
func KeyOf(seed uint64) Key {
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte("purr anonymise"), seed))
}

// Anonymise copies a payment file with other KIDs, accounts, references, names and texts. Amounts, dates, codes,
// counts and the numbers of transmissions and assignments stay. A new value depends only on the old value and the key.
// So equal values stay equal, also across files and formats. A KID or an account keeps its length, and is valid if it
// was valid before, so that Lint finds the same. Memory does not grow with the file. If the file has faults, the error
// is models.FileFaults: then the meaning of its fields is uncertain.
func Anonymise(w io.Writer, r io.ReadSeeker, today models.Date, key Key) error {
	report, err := Lint(r, today)
	if err != nil {
		return err
	}
	if len(report.Faults) > 0 {
		return report.Faults
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading the file again: %w", err)
	}
	if report.Format == camt.Format {
		return anonymiseCamt(w, r, key)
	}
	return anonymiseGiro(w, r, key)
}

// The length of the numbers that are permuted. There are too few shorter numbers.
const minNumber, maxNumber = 4, 36

// reference replaces an identification: a KID, an account, or any other.
func (k Key) reference(text string) string {
	last := len(text) - 1
	if len(text) >= minNumber && len(text) <= maxNumber && allDigits(text[:last]) && strings.ContainsRune("0123456789-", rune(text[last])) {
		return k.number(text)
	}
	return k.letters(text, '0')
}

// number replaces digits by as many other digits. The last character may be "-". Different numbers stay different, and
// every number changes.
func (k Key) number(text string) string {
	// Some senders fill a KID up with zeros. The zeros stay, so that the rest is replaced in the same way with and
	// without them.
	const fewest = 7 // least number of characters that are replaced
	significant := len(strings.TrimLeft(text, "0"))
	filler := max(0, len(text)-max(significant, fewest))
	if significant == 0 {
		return text
	}
	kind := kindOf(text[filler:])
	complete := func(payload string) string { return payload }
	payload := text[filler : len(text)-1]
	switch {
	case kind.dash:
		complete = func(payload string) string { return payload + "-" }
	case kind.modulus10:
		complete = func(payload string) string { return models.NewKID(payload, models.Modulus10) }
	case kind.modulus11:
		complete = func(payload string) string { return models.NewKID(payload, models.Modulus11) }
	default:
		payload = text[filler:]
	}
	for next := k.cycle(payload); ; {
		if fresh := complete(next()); kindOf(fresh) == kind {
			return text[:filler] + fresh
		}
	}
}

// kind holds what a number and its replacement have in common.
type kind struct{ modulus10, modulus11, dash, zero bool }

func kindOf(number string) kind {
	return kind{
		modulus10: models.ValidKID(number, models.Modulus10),
		modulus11: models.ValidKID(number, models.Modulus11),
		dash:      strings.HasSuffix(number, "-"),
		zero:      number[0] == '0',
	}
}

// cycle returns a function that goes through all numbers with the same count of digits, in an order that the key
// decides. It begins after the given number and ends with that number. A caller goes on until a number has the right
// kind. This is a permutation of the kind that changes every number.
func (k Key) cycle(digits string) (next func() string) {
	right := (len(digits) + 1) / 2
	f := feistel{key: k, digits: byte(len(digits)), moduli: [2]uint64{power10(len(digits) - right), power10(right)}}
	at := f.encrypt([2]uint64{decimal(digits[:len(digits)-right]), decimal(digits[len(digits)-right:])})
	return func() string {
		if at[1] = (at[1] + 1) % f.moduli[1]; at[1] == 0 {
			at[0] = (at[0] + 1) % f.moduli[0]
		}
		halves := f.decrypt(at)
		return fmt.Sprintf("%0*d%0*d", len(digits)-right, halves[0], right, halves[1])
	}
}

// feistel is a keyed permutation of the numbers with a count of digits. It works on two halves (a Feistel network, as
// in NIST SP 800-38G).
type feistel struct {
	key    Key
	digits byte
	moduli [2]uint64
}

const feistelRounds = 10

func (f feistel) encrypt(halves [2]uint64) [2]uint64 {
	for round := range feistelRounds {
		i := round % 2
		halves[i] = (halves[i] + f.round(round, halves[1-i])) % f.moduli[i]
	}
	return halves
}

func (f feistel) decrypt(halves [2]uint64) [2]uint64 {
	for round := feistelRounds - 1; round >= 0; round-- {
		i := round % 2
		halves[i] = (halves[i] + f.moduli[i] - f.round(round, halves[1-i])) % f.moduli[i]
	}
	return halves
}

// round returns the number that a round adds to one half, made from the other half.
func (f feistel) round(round int, other uint64) uint64 {
	var input [len(f.key) + 10]byte
	copy(input[:], f.key[:])
	input[len(f.key)], input[len(f.key)+1] = f.digits, byte(round)
	binary.BigEndian.PutUint64(input[len(f.key)+2:], other)
	sum := sha256.Sum256(input[:])
	return binary.BigEndian.Uint64(sum[:]) % f.moduli[round%2]
}

func power10(n int) uint64 {
	power := uint64(1)
	for range n {
		power *= 10
	}
	return power
}

// decimal returns the value of at most 18 digits.
func decimal(digits string) (value uint64) {
	for _, c := range digits {
		value = 10*value + uint64(c-'0')
	}
	return value
}

// text replaces free text.
func (k Key) text(text string) string { return k.letters(text, '1') }

// The letters of a made-up text. Each letter is replaced by one of its own group, so that the text can be spoken.
const (
	vowels     = "aeiouy"
	consonants = "bdghjklmnpstv" // without r and f: RF begins an ISO 11649 reference
	accented   = "æøåäöéü"       // both cases are in ISO-8859-1 too
)

// letters replaces letters and digits, and keeps other characters. A digit below lowest stays; another digit becomes
// one that is not below lowest. So a text keeps its zeros. Texts that differ only by case still do.
func (k Key) letters(text string, lowest rune) string {
	rng := rand.New(rand.NewChaCha8(sha256.Sum256(append(k[:], strings.ToLower(text)...))))
	fresh := text
	for try := 0; fresh == text && try < 10; try++ {
		fresh = strings.Map(func(c rune) rune { return otherLetter(rng, c, lowest) }, text)
	}
	return fresh
}

func otherLetter(rng *rand.Rand, c, lowest rune) rune {
	lower := unicode.ToLower(c)
	of := consonants
	switch {
	case c >= lowest && c <= '9':
		return lowest + rng.Int32N('9'-lowest+1)
	case c >= '0' && c <= '9', !unicode.IsLetter(c) && !unicode.IsDigit(c):
		return c
	case strings.ContainsRune(vowels, lower):
		of = vowels
	case c >= 0x80 && c < 0x100:
		of = accented
	}
	fresh := []rune(of)[rng.IntN(utf8.RuneCountInString(of))]
	if c != lower {
		return unicode.ToUpper(fresh)
	}
	return fresh
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
