package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"purr/models"
)

// Found is what a search finds of each kind, best first (rule N3).
type Found struct {
	Hits map[models.HitKind][]models.Hit // at most MostFound of each kind
	More map[models.HitKind]bool         // the kinds of which there are more
}

// MostFound is how many hits of a kind a search returns.
const MostFound = 10

// Search returns what a person may mean by a query among all that the creditor has. It asks at most ten questions. All of them are
// answered by indexes, and none reads more than the best.
func (r reads) Search(ctx context.Context, creditorID int64, q models.Query) (Found, error) {
	s := &searching{ctx: ctx, r: r, creditorID: creditorID, q: q, places: make(map[models.HitKind]map[int64]place)}
	if err := s.search(); err != nil {
		return Found{}, err
	}
	found := Found{Hits: make(map[models.HitKind][]models.Hit), More: make(map[models.HitKind]bool)}
	for _, kind := range models.HitKinds {
		if hits := s.hits[kind]; s.q.Wants(kind) && len(hits) > 0 {
			found.Hits[kind], found.More[kind] = hits[:min(len(hits), MostFound)], len(hits) > MostFound
		}
	}
	return found, nil
}

// place says how well a hit fits. The lowest comes first.
type place int

// The places.
const (
	placeNumber  place = iota // the number or the address that was typed
	placeKID                  // the KID
	placeAccount              // it was paid from the account
	placeBalance              // the sum is what is owed
	placeSum                  // the sum is its own
	placeName                 // the name
	placeSlip                 // the name, with a slip in what was typed
	placeID                   // nothing else has the number
)

// leads reports whether the documents of a hit in this place are sought too: its notices and letters.
func (p place) leads() bool {
	return p == placeNumber || p == placeKID || p == placeName || p == placeSlip
}

// mostAsked is how many hits of a kind are asked for in one place: with one more than MostFound it is known that there are more.
const mostAsked = MostFound + 1

// mostNamed is how many that fit words are compared.
const mostNamed = 60

// searching is one search: what was found so far.
type searching struct {
	ctx        context.Context
	r          reads
	creditorID int64
	q          models.Query
	places     map[models.HitKind]map[int64]place // by ID
	hits       map[models.HitKind][]models.Hit    // in order
}

func (s *searching) search() error {
	s.hits = make(map[models.HitKind][]models.Hit)
	for _, step := range []func() error{s.askNumbers, s.askNames, s.readCustomers, s.askDocuments, s.readHits, s.readLetters} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// pointer is a hit that was found and is not yet read.
type pointer struct {
	Kind  models.HitKind
	ID    int64
	Place place
}

// point keeps what was found, each in its best place.
func (s *searching) point(found []pointer) {
	for _, p := range found {
		of := s.places[p.Kind]
		if of == nil {
			of = map[int64]place{}
			s.places[p.Kind] = of
		}
		if before, known := of[p.ID]; !known || p.Place < before {
			of[p.ID] = p.Place
		}
	}
}

// ids returns the IDs of what was found of a kind, the best first, and of equals the newest. keep may be nil.
func (s *searching) ids(kind models.HitKind, most int, keep func(place) bool) []int64 {
	var ids []int64
	for id, at := range s.places[kind] {
		if keep == nil || keep(at) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int {
		return cmp.Or(cmp.Compare(s.places[kind][a], s.places[kind][b]), cmp.Compare(b, a))
	})
	return ids[:min(len(ids), most)]
}

// questions are several queries that are asked as one.
type questions struct {
	texts []string
	args  []any
	d     dialect
}

func (s *searching) questions() *questions { return &questions{d: dialect(s.r.db.Name())} }

func (qs *questions) add(query string, args ...any) {
	qs.texts, qs.args = append(qs.texts, apart(qs.d, query)), append(qs.args, args...)
}

// forced names the index by which a table is read, for MySQL: it does not see that few rows are wanted.
func (qs *questions) forced(index string) string {
	if qs.d == dialectMySQL {
		return " FORCE INDEX (" + index + ")"
	}
	return ""
}

// ask returns the rows that the queries find; none if there are no queries.
func ask[T any](s *searching, qs *questions) ([]T, error) {
	if len(qs.texts) == 0 {
		return nil, nil
	}
	return scan[[]T](s.r.with(s.ctx).Raw(strings.Join(qs.texts, unionAll), qs.args...))
}

// askFor points at what the queries find.
func (s *searching) askFor(qs *questions) error {
	found, err := ask[pointer](s, qs)
	if err != nil {
		return err
	}
	s.point(found)
	return nil
}
