package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// mostSharing is how many customers are compared with a payer's name: those who share most words with it. Of 300 000 customers some 50 have
// the commonest name.
const mostSharing = 2_000

// mostWordsAsked and mostIDsAsked are how many words, and IDs, a question names at most.
const (
	mostWordsAsked = 8_000
	mostIDsAsked   = 16_000
)

// CustomersAlike returns, for each of the payments, the IDs of the creditor's customers whose name is like the payer's or like one in its
// text, in order (rule N1). It asks two questions for mostSelects payments. The first reads who has their words: each word is read once,
// however many payers have it, and it takes at most the memory of 8 bytes for each word of the creditor's customers.
func (r reads) CustomersAlike(ctx context.Context, creditorID int64, payments []models.UnmatchedPayment) ([][]int64, error) {
	alike := make([][]int64, len(payments))
	var asked []sharing
	for n, u := range payments {
		if s := sharingWith(n, u.Names()); len(s.words) > 0 {
			asked = append(asked, s)
		}
	}
	for some := range slices.Chunk(asked, mostSelects) {
		names, sharers, err := r.sharing(ctx, creditorID, some)
		if err != nil {
			return nil, err
		}
		for n, s := range some {
			for _, id := range sharers[n] {
				if likeAny(s.names, names[id]) {
					alike[s.n] = append(alike[s.n], id)
				}
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
	names      []models.Name
	words      []string
	beginnings []string
}

// sharingWith returns what is shared with any of the names.
func sharingWith(n int, names []models.Name) sharing {
	s := sharing{n: n, names: names}
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

// holders are the IDs of the customers in whose names a word is, by word, and a longer one that begins so, by beginning. They are in order.
type holders struct{ of, begun map[string][]int64 }

// holders reads who has the words that the payers have, or one that begins as one of theirs: mostSelects questions in one.
func (r reads) holders(ctx context.Context, creditorID int64, asked []sharing) (holders, error) {
	var words, beginnings []string
	for _, s := range asked {
		words, beginnings = append(words, s.words...), append(beginnings, s.beginnings...)
	}
	var queries []string
	var args [][]any
	add := func(condition string, values ...any) {
		queries = append(queries, "SELECT word, row_id FROM words WHERE creditor_id = ? AND kind = ? AND "+condition)
		args = append(args, append([]any{creditorID, wordOfName}, values...))
	}
	for some := range slices.Chunk(distinct(words), mostWordsAsked) {
		add("word IN ?", some)
	}
	for _, b := range distinct(beginnings) {
		add("word > ? AND word < ?", b, b+string(utf8.MaxRune))
	}
	have, w, id := holders{map[string][]int64{}, map[string][]int64{}}, "", int64(0)
	for n := 0; n < len(queries); n += mostSelects {
		end := min(n+mostSelects, len(queries))
		found := r.with(ctx).Raw(strings.Join(queries[n:end], unionAll), slices.Concat(args[n:end]...)...)
		if err := eachRow(found, func() { have.of[w] = append(have.of[w], id) }, &w, &id); err != nil {
			return holders{}, err
		}
	}
	have.sort(distinct(beginnings))
	return have, nil
}

// sort puts the IDs in order, each once, and adds who has a word that begins so.
func (h holders) sort(beginnings []string) {
	for w, ids := range h.of {
		h.of[w] = inOrder(ids)
		for n := 1; n < len(w); n++ {
			if b := w[:n]; contains(beginnings, b) {
				h.begun[b] = append(h.begun[b], h.of[w]...)
			}
		}
	}
	for b, ids := range h.begun {
		h.begun[b] = inOrder(ids)
	}
}

// contains reports whether what is in order contains a value.
func contains[T cmp.Ordered](inOrder []T, value T) bool {
	_, is := slices.BinarySearch(inOrder, value)
	return is
}

// inOrder returns the IDs in order, each once.
func inOrder(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// distinct returns the texts in order, each once.
func distinct(texts []string) []string { return slices.Compact(slices.Sorted(slices.Values(texts))) }

// sharing returns, by ID, the names of the customers who share enough with one of the payers, and of each payer who they are. It asks two questions.
func (r reads) sharing(ctx context.Context, creditorID int64, asked []sharing) (map[int64][]models.Name, [][]int64, error) {
	have, err := r.holders(ctx, creditorID, asked)
	if err != nil {
		return nil, nil, err
	}
	sharers := make([][]int64, len(asked))
	for n, s := range asked {
		sharers[n] = s.among(have)
	}
	names := map[int64][]models.Name{}
	for ids := range slices.Chunk(inOrder(slices.Concat(sharers...)), mostIDsAsked) {
		found, err := scan[[]namedCustomer](r.with(ctx).Table("customers").Select("id, name1, name2, organisation_number").
			Where("creditor_id = ? AND id IN ?", creditorID, ids))
		if err != nil {
			return nil, nil, err
		}
		for _, c := range found {
			names[c.ID] = models.Recipient{Name1: c.Name1, Name2: c.Name2, OrganisationNumber: c.OrganisationNumber}.Names()
		}
	}
	return names, sharers, nil
}

// among returns the IDs of those who share enough, mostSharing of them at most: those who share most, and of them who came first.
func (s sharing) among(have holders) []int64 {
	fits := map[int64]int{}
	for _, w := range s.words {
		for _, id := range have.of[w] {
			if fits[id]++; strings.HasPrefix(w, ofBusiness) {
				fits[id]++
			}
		}
	}
	var some []int64
	for id, n := range fits {
		if n >= 2 || slices.ContainsFunc(s.beginnings, func(b string) bool { return contains(have.begun[b], id) }) {
			some = append(some, id)
		}
	}
	slices.SortFunc(some, func(a, b int64) int { return cmp.Or(cmp.Compare(fits[b], fits[a]), cmp.Compare(a, b)) })
	return some[:min(len(some), mostSharing)]
}

// namedCustomer is a customer with its names.
type namedCustomer struct {
	ID                               int64
	Name1, Name2, OrganisationNumber string
}
