package store

import (
	"slices"
	"unicode/utf8"

	"purr/models"
)

// askNames finds customers and unmatched payments by words: as they were typed, or else with a slip in some.
func (s *searching) askNames() error {
	if len(s.q.Named) > 0 { // a name may begin with a word that says what is sought
		found, err := s.askWords(s.q.Named, false)
		if err != nil {
			return err
		}
		if found {
			s.q.Kinds, s.q.Words = nil, s.q.Named
			return nil
		}
	}
	_, err := s.askWords(s.q.Words, true)
	return err
}

// term is a word of a query, with the words that it may be meant for if there is a slip in it.
type term struct {
	word  string
	slips []string
	rows  map[models.HitKind]int // how many have a word that begins so, at most mostCounted
}

// mostCounted is how many words are counted to see which one is the rarest.
const mostCounted = 2000

// wordsOfHits are the kinds of words by which hits are found, and how they stand in queries.
var wordsOfHits = []struct {
	kind models.HitKind
	in   string
}{
	{models.HitCustomer, "kind IN (1, 2)"},
	{models.HitUnmatched, "kind = 3"},
}

// askWords finds what has words that begin with all of the given ones. If nothing has, and slips are looked for, it finds what has them
// but for a slip in each. It reports whether anything has them as they were typed.
func (s *searching) askWords(words []string, slips bool) (found bool, err error) {
	var terms []term
	for _, w := range words {
		if w = clipped(w); !slices.ContainsFunc(terms, func(t term) bool { return t.word == w }) {
			terms = append(terms, term{word: w, rows: make(map[models.HitKind]int)})
		}
	}
	if err := s.countTerms(terms); err != nil {
		return false, err
	}
	qs := s.questions()
	for _, of := range wordsOfHits {
		s.named(qs, of.kind, of.in, terms, placeName)
	}
	if whole := s.q.Whole; slips && whole != "" && !slices.Equal(words, []string{whole}) {
		qs.add(limited("SELECT 'customer' AS kind, row_id AS id, ? AS place FROM words WHERE creditor_id = ? AND kind = ? AND word >= ? AND word < ?", mostNamed),
			placeNumber, s.creditorID, wordOfCustomer, clipped(whole), clipped(whole)+string(utf8.MaxRune))
	}
	if err := s.askFor(qs); err != nil {
		return false, err
	}
	found = len(s.places[models.HitCustomer])+len(s.places[models.HitUnmatched]) > 0
	if found || !slips {
		return found, nil
	}
	return false, s.askSlips(terms)
}

// countTerms counts how many have words that begin with each of the terms. One term alone needs no count. The place of a customer
// counts twice: of two that very many have, the name is the rarer one.
func (s *searching) countTerms(terms []term) error {
	if len(terms) < 2 {
		return nil
	}
	qs := s.questions()
	for n, t := range terms {
		for _, of := range wordsOfHits {
			begun := t.begun("")
			qs.add("SELECT ? AS term, ? AS kind, COUNT(*) + COALESCE(SUM(kind - 1), 0) AS items FROM ("+
				limited("SELECT kind FROM words WHERE creditor_id = ? AND "+of.in+" AND "+begun.text, mostCounted)+") AS counted",
				append([]any{n, of.kind, s.creditorID}, begun.args...)...)
		}
	}
	counts, err := ask[struct {
		Term  int
		Kind  models.HitKind
		Items int
	}](s, qs)
	if err != nil {
		return err
	}
	for _, c := range counts {
		terms[c.Term].rows[c.Kind] = c.Items
	}
	return nil
}

// named asks for what has words for all terms: it reads those of the rarest term, and looks for the others among the words of the
// same row.
func (s *searching) named(qs *questions, kind models.HitKind, in string, terms []term, at place) {
	if len(terms) == 0 {
		return
	}
	if at == placeSlip {
		terms = mistyped(terms, kind)
	}
	rarest := slices.MinFunc(terms, func(a, b term) int {
		if a.rows[kind] == b.rows[kind] {
			return len(b.word) - len(a.word)
		}
		return a.rows[kind] - b.rows[kind]
	})
	if len(terms) > 1 && rarest.rows[kind] == 0 && at == placeName {
		return
	}
	others, otherArgs := s.others(qs, in, terms, rarest)
	for _, first := range rarest.alternatives() {
		from, order := "words w", ""
		where := "w.creditor_id = ? AND w." + in + " AND " + first.text
		args := append([]any{s.creditorID}, first.args...)
		if kind == models.HitUnmatched || at == placeSlip {
			from, where = "("+limited("SELECT row_id FROM words w WHERE "+where, mostCounted)+") AS w", "1 = 1"
		}
		if kind == models.HitUnmatched { // the newest of those that are read
			order = " ORDER BY row_id DESC"
		}
		query := limited("SELECT ? AS kind, w.row_id AS id, ? AS place FROM "+from+" WHERE "+where+others+order, mostNamed)
		qs.add(query, append(append([]any{kind, at}, args...), otherArgs...)...)
	}
}

// mistyped returns the terms with slips only in those that nothing has as they were typed, if there are such.
func mistyped(terms []term, kind models.HitKind) []term {
	unknown := func(t term) bool { return t.rows[kind] == 0 }
	if !slices.ContainsFunc(terms, unknown) {
		return terms
	}
	terms = slices.Clone(terms)
	for n := range terms {
		if !unknown(terms[n]) {
			terms[n].slips = nil
		}
	}
	return terms
}

// condition is a part of a query with its arguments.
type condition struct {
	text string
	args []any
}

// begun returns what is true of the words that begin with the term. alias names the table, with a point.
func (t term) begun(alias string) condition {
	return condition{alias + "word >= ? AND " + alias + "word < ?", []any{t.word, t.word + string(utf8.MaxRune)}}
}

// alternatives returns the conditions of which the words that the term may stand for fulfil one. Each is a reading of the index.
func (t term) alternatives() []condition {
	if len(t.slips) == 0 {
		return []condition{t.begun("")}
	}
	return []condition{t.begun(""), {"word IN ?", []any{t.slips}}}
}

// others returns what is true of the rows of one term that have words for all others too. With its limit it is asked for each row. The
// plus keeps SQLite from looking for the word first.
func (s *searching) others(qs *questions, in string, terms []term, one term) (text string, args []any) {
	for _, t := range terms {
		if t.word == one.word {
			continue
		}
		of := t.begun("o.")
		if len(t.slips) > 0 {
			of = condition{"(" + of.text + " OR o.word IN ?)", append(of.args, t.slips)}
		}
		text += " AND (SELECT 1 FROM words o" + qs.forced("words_row") + " WHERE o.row_id = w.row_id AND o." + in + " AND +o.creditor_id = ? AND " + of.text + " LIMIT 1) = 1"
		args = append(append(args, s.creditorID), of.args...)
	}
	return text, args
}

// askSlips finds what has the terms but for a slip in each of them.
func (s *searching) askSlips(terms []term) error {
	some := false
	for n := range terms {
		terms[n].slips = models.Slips(terms[n].word)
		some = some || len(terms[n].slips) > 0
	}
	if !some {
		return nil
	}
	qs := s.questions()
	for _, of := range wordsOfHits {
		s.named(qs, of.kind, of.in, terms, placeSlip)
	}
	return s.askFor(qs)
}
