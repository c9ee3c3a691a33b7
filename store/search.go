package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

// texts are the rows that a search reads (rule D19).
type texts struct {
	table  string
	order  string // the index of the rows by ID
	needle string
	marked bool   // the rows say whether their text contains a digit
	number uint64 // also finds the row with this number; zero is none
}

func documentTexts(table, order, text string) texts {
	number, err := strconv.ParseUint(text, 10, 63) // takes no sign
	if err != nil {
		number = 0
	}
	return texts{table: table, order: order, needle: folded(text), marked: true, number: number}
}

func customerTexts(text string) texts {
	return texts{table: "customers", order: "customers_creditor", needle: folded(text)}
}

// folded returns the text in the form of the search columns. It replaces null characters: no name contains one,
// and SQLite ends a text at one.
func folded(text string) string { return strings.ReplaceAll(models.SearchText(text), "\x00", "\uFFFD") }

// fewFound is the most found rows for which a search makes the page from the list of their IDs. Tests lower it.
var fewFound = 5_000

// search returns one page of the rows that contain the text in any case and that narrow takes, oldest first, with
// the number of all. If few rows contain the text, one reading of the texts finds them all. If many do, the texts
// are only counted, and reading the rows in order soon fills the page.
func search[T any](ctx context.Context, r reads, t texts, narrow func(*gorm.DB) *gorm.DB, p Page) (items []T, total int64, err error) {
	var ids []int64
	if err := t.holding(narrow(r.from(ctx, t.table, t.table+"_search"))).Limit(fewFound+1).Pluck("id", &ids).Error; err != nil {
		return nil, 0, classify(err, "")
	}
	numbered, err := t.numbered(ctx, r, narrow)
	if err != nil {
		return nil, 0, err
	}
	if len(ids) > fewFound {
		return many[T](ctx, r, t, narrow, numbered, p)
	}
	ids = append(ids, numbered...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	total = int64(len(ids))
	if p.beyond(total) {
		return nil, total, nil
	}
	items, err = readAll[T](r.with(ctx).Where("id IN ?", OnPage(p, ids)).Order("id"))
	return items, total, err
}

// holding narrows to the rows whose text contains the needle.
func (t texts) holding(g *gorm.DB) *gorm.DB {
	if t.marked && strings.ContainsAny(t.needle, digits) {
		g = g.Where("search_digit = 1")
	} else if t.marked {
		g = g.Where("search_digit IN (0, 1)")
	}
	return g.Where("INSTR(search, ?) > 0", t.needle)
}

// numbered returns the ID of the row with the number, if there is one.
func (t texts) numbered(ctx context.Context, r reads, narrow func(*gorm.DB) *gorm.DB) ([]int64, error) {
	if t.number == 0 {
		return nil, nil
	}
	var ids []int64
	err := narrow(r.with(ctx).Table(t.table)).Where("number = ?", t.number).Pluck("id", &ids).Error
	return ids, classify(err, "")
}

// many is search for a text that very many rows contain.
func many[T any](ctx context.Context, r reads, t texts, narrow func(*gorm.DB) *gorm.DB, numbered []int64, p Page) (items []T, total int64, err error) {
	if err := t.holding(narrow(r.from(ctx, t.table, t.table+"_search"))).Count(&total).Error; err != nil {
		return nil, 0, classify(err, "")
	}
	or := narrow(r.from(ctx, t.table, t.order)).Where("INSTR(search, ?) > 0", t.needle)
	if len(numbered) > 0 {
		var known int64
		if err := t.holding(narrow(r.with(ctx).Table(t.table))).Where("id IN ?", numbered).Count(&known).Error; err != nil {
			return nil, 0, classify(err, "")
		}
		total += int64(len(numbered)) - known
		or = narrow(r.from(ctx, t.table, t.order)).Where("(INSTR(search, ?) > 0 OR id IN ?)", t.needle, numbered)
	}
	if p.beyond(total) {
		return nil, total, nil
	}
	items, err = pageOf[T](r.with(ctx), p.within(or))
	return items, total, err
}

// documentSearch returns the text that searches of documents read, and whether it contains a digit.
func documentSearch(r models.Recipient) (text string, digit bool) {
	text = models.SearchText(r.Name1, r.Name2)
	return text, strings.ContainsAny(text, digits)
}

func customerSearch(r models.Recipient) string { return models.SearchText(r.Name1, r.Name2, r.Email) }

const digits = "0123456789"
