package console

import (
	"context"
	"slices"
	"strings"

	"purr/models"
)

// need is a scope that the reader's key lacks for a part of the page, with what the page says of it.
type need struct {
	Scope models.Scope
	Text  string
}

// readColleagues reads the creditor's keys for a reader whose own key may not do everything: a page says who may (rule N10).
func (rq *request) readColleagues(ctx context.Context) (err error) {
	if rq.creditor.ID != 0 && !rq.key.Scope.Allows(models.ScopeAdmin) {
		rq.colleagues, err = rq.s.db.Keys(ctx, rq.creditor.ID)
	}
	return err
}

// mayNot returns the refusal of an act that needs a scope that the reader's key lacks.
func (rq *request) mayNot(needed models.Scope) *models.Error {
	rq.lacks = needed
	return &models.Error{Kind: models.KindForbidden, Code: "scope_insufficient", Msg: "this needs a key of scope " + string(needed)}
}

// mostColleagues is how many names of keys a page shows.
const mostColleagues = 5

// needs returns what a page says of what needs a scope: which keys have it, by their names (rule N10).
func (rq *request) needs(scope models.Scope) string {
	var names []string
	for _, k := range rq.colleagues {
		if k.RevokedAt == nil && k.Scope.Allows(scope) && !slices.Contains(names, k.Name) {
			names = append(names, k.Name)
		}
	}
	text := rq.words.Say("layout.needs_" + string(scope))
	switch {
	case len(names) == 0:
		return text + rq.words.Say("layout.needs_nobody")
	case len(names) > mostColleagues:
		names = append(names[:mostColleagues], "…")
	}
	return text + rq.words.Say("layout.needs_who", "names", strings.Join(names, ", "))
}

// Needs returns what the page says of what its reader may not do. The layout asks for it after the page's own content.
func (v *view) Needs() (all []need) {
	for _, scope := range []models.Scope{models.ScopeWrite, models.ScopeAdmin} {
		if v.rq.denied[scope] {
			all = append(all, need{scope, v.rq.needs(scope)})
		}
	}
	return all
}
