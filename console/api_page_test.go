package console_test

import (
	"strings"
	"testing"

	"purr/api"
	"purr/models"
)

// TestJ3ThePageOfTheAPIListsEachOperation shows each operation with a command line, and what it is answered.
func TestJ3ThePageOfTheAPIListsEachOperation(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeRead, nil)
	page := b.get("settings/api")
	for _, o := range api.Operations() {
		if !strings.Contains(page.text(), o.Method+" "+strings.ReplaceAll(o.Path, "{id}", "ID")) || !strings.Contains(page.text(), o.Summary) {
			t.Errorf("the page does not tell of %s %s", o.Method, o.Path)
		}
	}
	page.says(`curl -H "Authorization: Bearer $KEY"`, `-H "Accept: application/json"`, `/api/v1/invoice/1'`, `"ocr_kid_number"`)
}
