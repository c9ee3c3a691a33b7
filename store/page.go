package store

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

// Page asks for one page of a list.
type Page struct {
	Number int // from 1
	Size   int
}

// Dates narrow a list to a span of days, both inclusive; a zero day leaves that side open.
type Dates struct{ From, To models.Date }

func (d Dates) apply(g *gorm.DB, column string) *gorm.DB {
	if d.From != 0 {
		g = g.Where(column+" >= ?", d.From)
	}
	if d.To != 0 {
		g = g.Where(column+" <= ?", d.To)
	}
	return g
}

// find reads one page of what the query selects, oldest first, and the number of all its rows.
func find[T any](ctx context.Context, g *gorm.DB, p Page) (items []T, total int64, err error) {
	// A session of its own, so that counting does not leave its clauses on the query that follows.
	g = g.Session(&gorm.Session{Context: ctx})
	if err := g.Model(new(T)).Count(&total).Error; err != nil {
		return nil, 0, classify(err, "")
	}
	if int64(p.Number-1) > total/int64(p.Size) {
		return nil, total, nil // past the end, perhaps further than an offset can tell
	}
	err = g.Order("id").Offset((p.Number - 1) * p.Size).Limit(p.Size).Find(&items).Error
	return items, total, classify(err, "")
}

// contains narrows a query to rows whose search column holds the text, letters' case apart (rule D19).
func contains(g *gorm.DB, text string) *gorm.DB {
	return g.Where("search LIKE ? ESCAPE '!'", likePattern(text))
}

// maxSearch is the width of the search columns, in characters.
const maxSearch = 500

func likePattern(text string) string {
	text = models.SearchText(text)
	if r := []rune(text); len(r) > maxSearch {
		text = string(r[:maxSearch+1]) // finds nothing either; SQLite refuses a pattern without end
	}
	// SQLite ends a text at a null character, which no name holds.
	return "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_", "\x00", "\uFFFD").Replace(text) + "%"
}
