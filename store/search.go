package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

// texts is what a search looks in (rule D19).
type texts struct {
	table  string
	order  string // the index of its rows by ID
	needle string
	marked bool   // the rows say whether their text holds a digit
	number uint64 // finds the row that has it too; zero is none
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

// folded returns the text as the search columns have theirs. SQLite ends a text at a null character, which
// no name holds.
func folded(text string) string { return strings.ReplaceAll(models.SearchText(text), "\x00", "\uFFFD") }

// fewFound is how many rows a search may find to be taken page by page from a list of their IDs. Tests lower it.
var fewFound = 5_000

// search reads one page of the rows that hold the text, letters' case apart, and that narrow lets through:
// oldest first, with the number of all of them. What few rows hold is found by one walk through the texts;
// what many hold is soon found by a walk through the rows, and only counted in the texts.
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
	first := (p.Number - 1) * p.Size
	err = r.with(ctx).Where("id IN ?", ids[first:min(first+p.Size, len(ids))]).Order("id").Find(&items).Error
	return items, total, classify(err, "")
}

// holding narrows to the rows whose text holds the needle.
func (t texts) holding(g *gorm.DB) *gorm.DB {
	if t.marked && strings.ContainsAny(t.needle, digits) {
		g = g.Where("search_digit = 1")
	} else if t.marked {
		g = g.Where("search_digit IN (0, 1)")
	}
	return g.Where("INSTR(search, ?) > 0", t.needle)
}

// numbered returns the ID of the row that has the number, if one has.
func (t texts) numbered(ctx context.Context, r reads, narrow func(*gorm.DB) *gorm.DB) ([]int64, error) {
	if t.number == 0 {
		return nil, nil
	}
	var ids []int64
	err := narrow(r.with(ctx).Table(t.table)).Where("number = ?", t.number).Pluck("id", &ids).Error
	return ids, classify(err, "")
}

// many is search where very many rows hold the text.
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

// documentSearch returns what searches look in of a document, and whether that holds a digit.
func documentSearch(r models.Recipient) (text string, digit bool) {
	text = models.SearchText(r.Name1, r.Name2)
	return text, strings.ContainsAny(text, digits)
}

func customerSearch(r models.Recipient) string { return models.SearchText(r.Name1, r.Name2, r.Email) }

const digits = "0123456789"
