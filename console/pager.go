package console

import (
	"html/template"
	"strconv"

	"purr/store"
)

// perPage is how many rows a list shows.
const perPage = 50

// pager leads to the neighbours of a page of a list. Each path is empty where there is none.
type pager struct{ Previous, Next string }

// pageNumber returns the number of the page of a list that the URL asks for, from 1.
func (rq *request) pageNumber() int {
	n, err := strconv.Atoi(rq.query("page"))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<30)
}

// onPage returns what a page shows of a list that was read with one row more than it has, and leads on from its last row.
func onPage[T any](read []T, p *pager, next func(last T) string) []T {
	if len(read) <= perPage {
		return read
	}
	p.Next = next(read[perPage-1])
	return read[:perPage]
}

// summed says how many rows a list has, and what they come to. Where they are too many to be added up, many says their number alone.
func (rq *request) summed(lead, many string, sum store.ListSum) template.HTML {
	if !sum.Added {
		return rq.words.SayHTML(many, "n", sum.Number)
	}
	return rq.words.SayHTML(lead, "n", sum.Number, "sum", sum.Amount, "rest", sum.Rest)
}

// numbered says how many rows a list has; where these are not all, many says that it has more.
func (rq *request) numbered(lead, many string, n int64, all bool, values ...any) template.HTML {
	if !all {
		lead = many
	}
	return rq.words.SayHTML(lead, append(values, "n", n)...)
}

// pages leads to the neighbours of a page that has a number.
func (v *view) pages(page store.Page, total int64) (p pager) {
	if page.Number > 1 {
		p.Previous = v.With("page", strconv.Itoa(min(page.Number-1, int(page.Pages(total)))))
	}
	if int64(page.Number) < page.Pages(total) {
		p.Next = v.With("page", strconv.Itoa(page.Number+1))
	}
	return p
}
