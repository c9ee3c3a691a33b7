package api_test

import (
	"regexp"
	"strings"
	"testing"

	"purr/api"
)

// idInPath is an ID in a request's path.
var idInPath = regexp.MustCompile(`/[0-9]+(/|$)`)

// TestEveryRouteIsShown requires a script that shows each route answered, and a script that shows each method refused
// that the description rules out.
func TestEveryRouteIsShown(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, s := range readScripts(t) {
		for _, x := range s.exchanges {
			path, _, _ := strings.Cut(x.path, "?")
			path = idInPath.ReplaceAllString(strings.TrimSuffix(path, "/"), "/{id}$1")
			status, _, _ := strings.Cut(strings.TrimPrefix(x.answer, answerBegins), " ")
			shown[x.method+" "+path+" "+status] = true
		}
	}
	wellShown := func(route string) bool {
		return shown[route+" 200"] || shown[route+" 201"] || shown[route+" 202"] || shown[route+" 204"]
	}
	for _, route := range api.Routes(api.Config{TestClock: brokenClock{}}) {
		if route = strings.TrimSuffix(route, "/"); !wellShown(route) {
			t.Errorf("no script in testdata shows %s answered well", route)
		}
	}
	for _, ruledOut := range []string{
		"PUT /api/v1/invoice/{id}", "DELETE /api/v1/invoice/{id}", "PUT /api/v1/credit_note/{id}", "DELETE /api/v1/credit_note/{id}",
		"PUT /api/v1/overdue_notice/{id}", "DELETE /api/v1/overdue_notice/{id}", "PUT /api/v1/ar_transaction/{id}",
	} {
		if !shown[ruledOut+" 405"] {
			t.Errorf("no script in testdata shows %s refused with 405 (rule D6)", ruledOut)
		}
	}
}
