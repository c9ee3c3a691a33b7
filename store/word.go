package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm/clause"

	"purr/models"
)

// wordKind says of what a word is.
type wordKind int

// The kinds of words.
const (
	wordOfName     wordKind = 1 // of a customer: its names
	wordOfCustomer wordKind = 2 // of a customer: its place, e-mail address and numbers
	wordOfPayment  wordKind = 3 // of an unmatched payment: the payer's names, the text, KID and account
)

// word is a row of the index of words (rules N1, N3).
type word struct {
	CreditorID int64    `gorm:"primaryKey"`
	Kind       wordKind `gorm:"primaryKey"`
	Word       string   `gorm:"primaryKey"`
	RowID      int64    `gorm:"primaryKey;autoIncrement:false"`
}

// maxWord is how many letters of a word are kept. Longer words are found by their beginning.
const maxWord = 40

// The marks of a word of a business's name, and of the only one: it is a name by itself (rule N1). No word has such signs.
const (
	ofBusiness = "="
	alone      = "=="
)

// clipped returns a word as the index has it.
func clipped(word string) string {
	if utf8.RuneCountInString(word) <= maxWord {
		return word
	}
	return string([]rune(word)[:maxWord])
}

// wordsOfCustomer returns the words by which a customer is found.
func wordsOfCustomer(c models.Customer) []word {
	var all []word
	add := func(kind wordKind, texts ...string) {
		for _, text := range texts {
			if text != "" {
				all = append(all, word{c.CreditorID, kind, clipped(text), c.ID})
			}
		}
	}
	r := c.Recipient
	for _, n := range r.Names() {
		for _, w := range n.Words() {
			add(wordOfName, w)
			if n.Business() {
				add(wordOfName, ofBusiness+w)
			}
			if n.Business() && len(n.Words()) == 1 {
				add(wordOfName, alone+w)
			}
		}
	}
	add(wordOfCustomer, models.Words(r.PostalName)...)
	add(wordOfCustomer, models.Fold(r.Email), models.Fold(r.CustomerNumber), r.OrganisationNumber, r.PostalCode)
	return unique(all)
}

// wordsOfPayment returns the words by which an unmatched payment is found.
func wordsOfPayment(u models.UnmatchedPayment) []word {
	var all []word
	if u.CreditorID == 0 { // nobody's yet
		return nil
	}
	for _, text := range []string{u.PayerName, u.UltimatePayer, u.Text, u.KID, u.FromAccountNumber} {
		for _, w := range models.Words(text) {
			all = append(all, word{u.CreditorID, wordOfPayment, clipped(w), u.ID})
		}
	}
	return unique(all)
}

// unique returns the words in order, each once.
func unique(words []word) []word {
	slices.SortFunc(words, func(a, b word) int {
		if a.Kind != b.Kind {
			return int(a.Kind - b.Kind)
		}
		return strings.Compare(a.Word, b.Word)
	})
	return slices.Compact(words)
}

// addWords writes the words of new rows.
func (tx *Tx) addWords(ctx context.Context, words []word) error {
	if len(words) == 0 {
		return nil
	}
	return tx.add(ctx, &words)
}

// keepWords brings the words of a customer up to date. Most changes of a customer change none.
func (tx *Tx) keepWords(ctx context.Context, c models.Customer) error {
	kept, err := readAll[word](tx.with(ctx).Where("row_id = ? AND kind IN ? AND creditor_id = ?", c.ID, ofCustomers, c.CreditorID))
	if err != nil {
		return err
	}
	now := wordsOfCustomer(c)
	for _, w := range kept {
		if !slices.Contains(now, w) {
			if err := classify(tx.with(ctx).Delete(&w).Error, ""); err != nil {
				return err
			}
		}
	}
	return tx.addWords(ctx, slices.DeleteFunc(now, func(w word) bool { return slices.Contains(kept, w) }))
}

var ofCustomers = []wordKind{wordOfName, wordOfCustomer}

// dropWords forgets the words of a customer that is deleted.
func (tx *Tx) dropWords(ctx context.Context, creditorID, id int64) error {
	return classify(tx.with(ctx).Where("row_id = ? AND kind IN ? AND creditor_id = ?", id, ofCustomers, creditorID).Delete(&word{}).Error, "")
}

// wordsIndexed begins the settings that say how far indexWords has come with each kind of rows: an ID, or "all".
const wordsIndexed = "words_indexed_"

// wordsAtOnce is how many rows get their words in one transaction.
const wordsAtOnce = 500

// indexWords gives, once in an installation, words to the rows that were there before there were words. If it is broken off, the next
// call goes on.
func (db *DB) indexWords(ctx context.Context) error {
	for _, of := range []struct {
		name string
		next func(tx *Tx, after int64) ([]word, int64, error)
	}{
		{"customers", func(tx *Tx, after int64) ([]word, int64, error) {
			return wordsOf(ctx, tx, after, customerWords, wordsOfCustomer, func(c models.Customer) int64 { return c.ID })
		}},
		{"payments", func(tx *Tx, after int64) ([]word, int64, error) {
			return wordsOf(ctx, tx, after, paymentWords, wordsOfPayment, func(u models.UnmatchedPayment) int64 { return u.ID })
		}},
	} {
		for more := true; more; {
			err := db.InTx(ctx, func(ctx context.Context, tx *Tx) (err error) {
				more, err = tx.indexSome(ctx, of.name, of.next)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// indexSome gives words to the next rows, and reports whether there are more.
func (tx *Tx) indexSome(ctx context.Context, name string, next func(tx *Tx, after int64) ([]word, int64, error)) (more bool, err error) {
	setting := wordsIndexed + name
	done, err := tx.Setting(ctx, setting)
	if err != nil || done == "all" {
		return false, err
	}
	after, err := strconv.ParseInt(done+"0", 10, 64) // an ID, or nothing
	if err != nil {
		return false, err
	}
	words, last, err := next(tx, after/10)
	if err != nil || last == 0 && done == "" { // there are none yet
		return false, err
	}
	done = strconv.FormatInt(last, 10)
	if last == 0 {
		done = "all"
	} else if len(words) > 0 {
		if err := tx.insertOr(ctx, &words, clause.OnConflict{DoNothing: true}); err != nil {
			return false, err
		}
	}
	return last != 0, tx.SetSetting(ctx, setting, done)
}

// The columns that words are made of.
const (
	customerWords = "id, creditor_id, name1, name2, organisation_number, postal_code, postal_name, email, customer_number"
	paymentWords  = "id, creditor_id, payer_name, ultimate_payer, text, kid, from_account_number"
)

// wordsOf returns the words of the next rows after an ID, and the last one's ID, zero if there is none.
func wordsOf[T any](ctx context.Context, tx *Tx, after int64, columns string, of func(T) []word, id func(T) int64) (words []word, last int64, err error) {
	rows, err := readAll[T](tx.with(ctx).Select(columns).Where("id > ?", after).Order("id").Limit(wordsAtOnce))
	if err != nil {
		return nil, 0, err
	}
	for _, row := range rows {
		words, last = append(words, of(row)...), id(row)
	}
	return words, last, nil
}
