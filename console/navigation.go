package console

import (
	"context"
	"slices"

	"purr/store"
)

// link is one of the navigation.
type link struct {
	Label, Path, Icon string
	Key               string // g and this key go there
	Present           bool
	Count             int64 // what waits there
}

// areas are the links of the navigation, in their order, with their icons and keys.
var areas = []struct{ name, icon, key string }{
	{"today", "sun", "t"},
	{"bank", "landmark", "b"},
	{"invoices", "receipt", "i"},
	{"customers", "users", "c"},
	{"dunning", "bell-ring", "d"},
	{"money", "chart-column", "m"},
	{"letters", "mail", "l"},
	{"log", "history", "h"},
	{"operations", "server", "o"},
	{"settings", "settings", "s"},
}

// waiting counts what waits for a person of the creditor, once a request.
func (rq *request) waiting(ctx context.Context) (store.Waiting, error) {
	if rq.waits == nil {
		w, err := rq.s.db.WaitingOf(ctx, rq.creditor.ID, rq.today())
		if err != nil {
			return store.Waiting{}, err
		}
		rq.waits = &w
	}
	return *rq.waits, nil
}

// Links returns the links of the navigation, with how much waits behind each. If that cannot be read, they are there without.
func (v *view) Links() []link {
	counts := map[string]int64{}
	if w, err := v.rq.waiting(v.rq.r.Context()); err == nil {
		counts["bank"], counts["letters"] = w.Payments, w.Shipments()
		if w.RunID != 0 {
			counts["dunning"] = 1
		}
	}
	links := make([]link, len(areas))
	for i, a := range areas {
		links[i] = link{Label: v.rq.words.Say("area." + a.name), Path: v.Base + "/" + a.name, Icon: a.icon, Key: a.key, Present: a.name == v.Area, Count: counts[a.name]}
	}
	return links
}

// tab is one of a page's tabs: its name, its path below the creditor's, and the name of its label in the catalogue.
type tab struct{ name, path, label string }

// MoneyTabs returns the tabs of the pages about money.
func (v *view) MoneyTabs(present string) []link {
	return v.tabs(present, tab{"money", "money", "money.overview"}, tab{"open", "money/open", "money.open"}, tab{"month", "money/month", "money.month"},
		tab{"ledger", "money/ledger", "money.ledger"}, tab{"credit", "money/credit", "free.title"},
		tab{"repayments", "money/repayments", "repayments.title"}, tab{"charges", "money/charges", "charges.title"},
		tab{"accounts", "money/accounts", "accounts.title"})
}

// InvoiceTabs returns the tabs of the lists of invoices and credit notes.
func (v *view) InvoiceTabs(present string) []link {
	return v.tabs(present, tab{"invoices", "invoices", "invoices.title"}, tab{"notes", "credit-notes", "notes.title"},
		tab{"standing", "standing-still", "standing.title"}, tab{"collections", "collections", "collections.title"})
}

// tabs returns the links of tabs.
func (v *view) tabs(present string, all ...tab) []link {
	links := make([]link, len(all))
	for i, t := range all {
		links[i] = link{Label: v.rq.words.Say(t.label), Path: v.Base + "/" + t.path, Present: t.name == present}
	}
	return links
}

// keyHelp is a line of the list of keys, which ? opens.
type keyHelp struct{ Keys, Does string }

// KeyHelp returns what the single keys do.
func (v *view) KeyHelp() []keyHelp {
	help := []keyHelp{{"/", v.rq.words.Say("layout.search")}}
	for _, a := range areas {
		help = append(help, keyHelp{"g " + a.key, v.rq.words.Say("area." + a.name)})
	}
	for _, key := range []string{"j", "k", "m", "o", "d", "r", "u", "x", "n", "f", "h", "p", "c", "s", "a", "Enter"} {
		help = append(help, keyHelp{key, v.rq.words.Say("keys." + key)})
	}
	return slices.Clip(help)
}
