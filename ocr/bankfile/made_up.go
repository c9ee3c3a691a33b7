package bankfile

import (
	"math/rand/v2"
	"strings"
	"unicode"

	"purr/models"
)

// The letters that a made-up text is of: each by one of its own kind, so that it can be spoken.
const (
	vowels     = "aeiouy"
	consonants = "bdfghjklmnprstv"
	accented   = "æøåäöéü" // in ISO-8859-1 too, lower case and upper case
)

// madeUpText returns a text of as many characters, words and figures as another, and of none of its letters' order.
// A zero stays one, so that a field of zeros and others stays what it is.
func madeUpText(rng *rand.Rand, text string) string {
	return strings.Map(func(c rune) rune {
		lower := unicode.ToLower(c)
		var letters []rune
		switch {
		case c == '0':
			return c
		case c >= '1' && c <= '9':
			return '1' + rune(rng.IntN(9))
		case strings.ContainsRune(vowels, lower):
			letters = []rune(vowels)
		case c < 0x80 && unicode.IsLetter(c):
			letters = []rune(consonants)
		case c < 0x100 && unicode.IsLetter(c):
			letters = []rune(accented)
		case unicode.IsLetter(c), unicode.IsDigit(c):
			letters = []rune(consonants)
		default:
			return c
		}
		fresh := letters[rng.IntN(len(letters))]
		if c != lower {
			return unicode.ToUpper(fresh)
		}
		return fresh
	}, text)
}

// madeUpReference returns a reference of the same form: letters where there were some, digits where there were some. A
// number keeps the zeros that it is filled with.
func madeUpReference(rng *rand.Rand, reference string) string {
	filler := 0
	if allDigits(reference) {
		filler = fillers(reference, 0)
	}
	return reference[:filler] + strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9':
			return '0' + rune(rng.IntN(10))
		case c >= 'a' && c <= 'z':
			return 'a' + rune(rng.IntN(26))
		case c >= 'A' && c <= 'Z':
			return 'A' + rune(rng.IntN(26))
		case unicode.IsLetter(c):
			return []rune(madeUpText(rng, string(c)))[0]
		}
		return c
	}, reference[filler:])
}

// fewest is how many digits of a number may change at least, whatever zeros it begins with.
const fewest = 6

// fillers returns how many of the zeros that a number begins with are left alone. So many of its last digits are not
// counted, since they follow from the others.
func fillers(number string, last int) int {
	zeros := len(number) - len(strings.TrimLeft(number, "0"))
	return max(0, min(zeros, len(number)-fewest-last))
}

// madeUpAccount returns an account number that is valid if the other one is, and else is not.
func madeUpAccount(rng *rand.Rand, account string) string {
	for {
		base := "1" + digitsOf(rng, 9) // no register number begins with 0
		c := models.CheckDigit11(base)
		switch {
		case c == '-':
		case models.ValidBankAccount(account):
			return base + string(c)
		default:
			return base + string('0'+(c-'0'+1+byte(rng.IntN(9)))%10)
		}
	}
}

// madeUpKID returns a KID of the same length that is valid by the same moduli, or by none, and ends in "-" if the
// other one does.
func madeUpKID(rng *rand.Rand, kid string) string {
	last := len(kid) - 1
	if !allDigits(kid[:last]) || last == 0 {
		return madeUpReference(rng, kid)
	}
	by10, by11 := models.ValidKID(kid, models.Modulus10), models.ValidKID(kid, models.Modulus11)
	filler := fillers(kid, 1)
	for {
		base := kid[:filler] + digitsOf(rng, last-filler)
		check := byte('0' + rng.IntN(10))
		switch {
		case kid[last] == '-':
			check = '-'
		case by10:
			check = models.CheckDigit10(base)
		case by11:
			check = models.CheckDigit11(base)
		case kid[last] > '9':
			return madeUpReference(rng, kid)
		}
		fresh := base + string(check)
		if models.ValidKID(fresh, models.Modulus10) == by10 && models.ValidKID(fresh, models.Modulus11) == by11 && (check == '-') == (kid[last] == '-') {
			return fresh
		}
	}
}

// madeUpAmount returns an amount that is up to half as large again, or with down up to half as small. The first tries
// are as round as the amount.
func madeUpAmount(rng *rand.Rand, try int, amount models.Amount, down bool) models.Amount {
	from, to := amount+1, amount+amount/2
	if down {
		from, to = amount-amount/2, amount-1
	}
	step := models.Amount(1)
	for _, round := range []models.Amount{10, 100} {
		if amount%round == 0 && try < 10 {
			step = round
		}
	}
	first, last := (from+step-1)/step, to/step
	switch {
	case last >= first:
		return step * (first + models.Amount(rng.Int64N(int64(last-first+1))))
	case try < 10:
		return madeUpAmount(rng, 10, amount, down)
	}
	return amount // an øre or two
}

func digitsOf(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + rng.IntN(10))
	}
	return string(b)
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
