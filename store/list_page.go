package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// Page asks for one page of a list.
type Page struct {
	Number int // from 1
	Size   int
}

// Dates narrow a list to a period, both days inclusive. A zero day leaves that side open.
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

// find returns one page of the query's rows, oldest first, and the number of all rows.
func find[T any](ctx context.Context, g *gorm.DB, p Page) (items []T, total int64, err error) {
	// A session of its own keeps the clauses of the count out of the query that follows.
	g = g.Session(&gorm.Session{Context: ctx})
	if total, err = count(g.Model(new(T))); err != nil {
		return nil, 0, err
	}
	if p.beyond(total) { // the offset could overflow
		return nil, total, nil
	}
	items, err = pageOf[T](g.Session(&gorm.Session{NewDB: true}), p.within(g.Model(new(T))))
	return items, total, err
}

// from begins a query on a table that uses the index. It names the index only for MySQL: SQLite knows the
// distribution of values and chooses the index itself.
func (r reads) from(ctx context.Context, table, index string) *gorm.DB {
	g := r.with(ctx)
	if dialect(g.Name()) == dialectMySQL {
		return g.Table(table + " FORCE INDEX (" + index + ")")
	}
	return g.Table(table)
}

// pageOf returns the rows whose IDs the query selects, oldest first.
func pageOf[T any](g, ids *gorm.DB) ([]T, error) {
	return readAll[T](g.Joins("JOIN (?) AS page USING (id)", ids).Order("id"))
}

// offset returns how many rows come before the page.
func (p Page) offset() int { return (p.Number - 1) * p.Size }

// within narrows the query of IDs to one page of them.
func (p Page) within(ids *gorm.DB) *gorm.DB { return p.after(ids, 0) }

// after narrows a query of IDs to the page, given how many other rows come before the query's.
func (p Page) after(ids *gorm.DB, others int64) *gorm.DB {
	return ids.Select("id").Order("id").Offset(p.offset() - int(others)).Limit(p.Size)
}

// Pages returns how many pages a list of the length has: at least one (rule D10).
func (p Page) Pages(total int64) int64 { return max(1, (total+int64(p.Size)-1)/int64(p.Size)) }

// OnPage returns the part of a whole list that is on the page.
func OnPage[T any](p Page, all []T) []T {
	if p.beyond(int64(len(all))) {
		return nil
	}
	return all[p.offset():min(p.offset()+p.Size, len(all))]
}

// beyond reports whether the page lies past the end of a list.
func (p Page) beyond(total int64) bool {
	return int64(p.Number-1) >= (total+int64(p.Size)-1)/int64(p.Size)
}
