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
	wideOf int64  // the creditor in whose invoices the needle is sought as a KID and as an amount too; zero for none
	amount models.Amount
}

// widen has the search of invoices also find the KID that the text is, and the amount with øre.
func (t *texts) widen(creditorID int64, text string) {
	t.wideOf = creditorID
	plain := strings.NewReplacer(" ", "", "\u00A0", "", ",", ".").Replace(text)
	if a, err := models.ParseAmount(plain); err == nil && a > 0 && strings.Contains(plain, ".") {
		t.amount = a
	}
	if n, err := strconv.ParseUint(plain, 10, 63); err == nil {
		t.number, t.needle = n, folded(plain)
	}
}

// byName reports whether rows are found by their texts alone.
func (t texts) byName() bool { return t.number == 0 && t.wideOf == 0 }

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
var fewFound = 20_000

// search returns one page of the rows that contain the text in any case and that narrow takes, oldest first, with
// the number of all. If few rows contain the text, one reading of the texts finds them all. If many do, the texts
// are only counted, and reading the rows in order soon fills the page.
func search[T any](ctx context.Context, r reads, t texts, narrow func(*gorm.DB) *gorm.DB, p Page) (items []T, total int64, err error) {
	ids, few, err := t.few(ctx, r, narrow)
	if err != nil {
		return nil, 0, err
	}
	if !few {
		return many[T](ctx, r, t, narrow, ids, p)
	}
	total = int64(len(ids))
	if p.beyond(total) {
		return nil, total, nil
	}
	items, err = readAll[T](r.with(ctx).Where("id IN ?", OnPage(p, ids)).Order("id"))
	return items, total, err
}

// few returns the IDs of the rows that are found, in order. If very many rows contain the text, it reports false, and
// returns only what is found by number and the like.
func (t texts) few(ctx context.Context, r reads, narrow func(*gorm.DB) *gorm.DB) (ids []int64, few bool, err error) {
	if t.amount == 0 { // no name is an amount with øre
		if ids, err = idsOf(t.holding(narrow(r.from(ctx, t.table, t.table+"_search"))).Limit(fewFound + 1)); err != nil {
			return nil, false, err
		}
	}
	numbered, err := t.numbered(ctx, r, narrow)
	if err != nil {
		return nil, false, err
	}
	if len(ids) > fewFound {
		return numbered, false, nil
	}
	ids = append(ids, numbered...)
	slices.Sort(ids)
	return slices.Compact(ids), true, nil
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

// numbered returns the ID of the row with the number, if there is one. A wide search also returns those of the KID and of the
// amount.
func (t texts) numbered(ctx context.Context, r reads, narrow func(*gorm.DB) *gorm.DB) (ids []int64, err error) {
	if t.number != 0 {
		if ids, err = idsOf(narrow(r.with(ctx).Table(t.table)).Where("number = ?", t.number)); err != nil {
			return nil, err
		}
	}
	if t.wideOf == 0 {
		return ids, nil
	}
	if t.number != 0 {
		sent := r.with(ctx).Model(&Reference{}).Select("invoice_id").Where("creditor_id = ? AND kid = ?", t.wideOf, t.needle)
		of, err := idsOf(narrow(r.with(ctx).Table(t.table)).Where("id IN (?)", sent))
		if err != nil {
			return nil, err
		}
		ids = append(ids, of...)
	}
	if t.amount != 0 {
		for _, column := range []string{"gross", "balance"} {
			of, err := idsOf(narrow(r.from(ctx, t.table, t.table+"_"+column)).Where(column+" = ?", t.amount).Order("id DESC").Limit(mostOfAmount))
			if err != nil {
				return nil, err
			}
			ids = append(ids, of...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// mostOfAmount is the most invoices that a search finds by one amount. A person who gets as many looks for them in another way.
const mostOfAmount = 1000

// count returns the number of the rows that contain the text or are among the numbered.
func (t texts) count(ctx context.Context, r reads, narrow func(*gorm.DB) *gorm.DB, numbered []int64) (total int64, err error) {
	total, err = count(t.holding(narrow(r.from(ctx, t.table, t.table+"_search"))))
	if err != nil || len(numbered) == 0 {
		return total, err
	}
	known, err := count(t.holding(narrow(r.with(ctx).Table(t.table))).Where("id IN ?", numbered))
	if err != nil {
		return 0, err
	}
	return total + int64(len(numbered)) - known, nil
}

// many is search for a text that very many rows contain.
func many[T any](ctx context.Context, r reads, t texts, narrow func(*gorm.DB) *gorm.DB, numbered []int64, p Page) (items []T, total int64, err error) {
	if total, err = t.count(ctx, r, narrow, numbered); err != nil {
		return nil, 0, err
	}
	or := narrow(r.from(ctx, t.table, t.order)).Where("INSTR(search, ?) > 0", t.needle)
	if len(numbered) > 0 {
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
