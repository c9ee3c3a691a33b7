package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// mostSharing is how many customers are compared with a payer's name: those who share most words with it.
const mostSharing = 60

// CustomersAlike returns, for each of the payments, the IDs of the creditor's customers whose name is like the payer's or like one in its
// text, in order (rule N1). It asks one question for mostSelects payments. Each reads the customers who share words with the payer.
func (r reads) CustomersAlike(ctx context.Context, creditorID int64, payments []models.UnmatchedPayment) ([][]int64, error) {
	alike := make([][]int64, len(payments))
	var asked []sharing
	for n, u := range payments {
		if s := sharingWith(n, u.Names()); len(s.words) > 0 {
			asked = append(asked, s)
		}
	}
	for some := range slices.Chunk(asked, mostSelects) {
		found, err := r.sharing(ctx, creditorID, some)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if likeAny(payments[c.N].Names(), c.recipient().Names()) {
				alike[c.N] = append(alike[c.N], c.ID)
			}
		}
	}
	for _, ids := range alike {
		slices.Sort(ids)
	}
	return alike, nil
}

// likeAny reports whether one of the names is like one of the others.
func likeAny(names, others []models.Name) bool {
	return slices.ContainsFunc(names, func(n models.Name) bool { return slices.ContainsFunc(others, n.Alike) })
}

// sharing is what customers must share with a payer to be compared with him: two words, one of which may be but the beginning of
// one, or the only word of a business's name.
type sharing struct {
	n          int // of the payment
	words      []string
	beginnings []string
}

// sharingWith returns what is shared with any of the names.
func sharingWith(n int, names []models.Name) sharing {
	s := sharing{n: n}
	for _, name := range names {
		words := name.Words()
		for _, w := range words {
			s.words = append(s.words, clipped(w), alone+clipped(w))
			if letter, size := utf8.DecodeRuneInString(w); len(words) < 5 && size < len(w) { // no text
				s.words = append(s.words, string(letter))
			}
		}
		if len(words) == 1 {
			s.words = append(s.words, ofBusiness+clipped(words[0]))
		}
		s.beginnings = append(s.beginnings, name.Beginnings()...)
	}
	slices.Sort(s.words)
	s.words = slices.Compact(s.words)
	return s
}

// query returns what asks for those who share enough, and its arguments.
func (s sharing) query(creditorID int64) (query string, args []any) {
	enough := "fits >= 2"
	args = []any{creditorID, wordOfName, s.words}
	for _, b := range s.beginnings {
		enough += ` OR EXISTS (SELECT 1 FROM words begun WHERE begun.row_id = words.row_id AND begun.kind = ? AND begun.creditor_id = ?
			AND begun.word > ? AND begun.word < ?)`
		args = append(args, wordOfName, creditorID, b, b+string(utf8.MaxRune))
	}
	return "SELECT " + strconv.Itoa(s.n) + ` AS n, c.id, c.name1, c.name2, c.organisation_number FROM (
		SELECT row_id, SUM(CASE WHEN word LIKE '=%' THEN 2 ELSE 1 END) AS fits FROM words WHERE creditor_id = ? AND kind = ? AND word IN ?
		GROUP BY row_id HAVING ` + limited(enough+" ORDER BY fits DESC, row_id", mostSharing) + ") AS sharing JOIN customers c ON c.id = sharing.row_id", args
}

// namedCustomer is a customer who shares words with the payer of payment N.
type namedCustomer struct {
	N                                int
	ID                               int64
	Name1, Name2, OrganisationNumber string
}

func (c namedCustomer) recipient() models.Recipient {
	return models.Recipient{Name1: c.Name1, Name2: c.Name2, OrganisationNumber: c.OrganisationNumber}
}

func (r reads) sharing(ctx context.Context, creditorID int64, asked []sharing) ([]namedCustomer, error) {
	var queries []string
	var all []any
	for _, s := range asked {
		query, args := s.query(creditorID)
		queries, all = append(queries, apart(dialect(r.db.Name()), query)), append(all, args...)
	}
	return scan[[]namedCustomer](r.with(ctx).Raw(strings.Join(queries, unionAll), all...))
}
