package console_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"purr/console"
	"purr/internal/clock"
	"purr/models"
)

// TestD9AFormIsSentOnceWithoutScripts opens a form by its link, sends it, goes Back to it, which loads it anew, and sends it
// again.
func TestD9AFormIsSentOnceWithoutScripts(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	i := b.owing(14)
	page := fmt.Sprintf("invoices/%d", i.Number)
	link := func() string {
		found := regexp.MustCompile(`href="([^"]+/pay\?form=[^"]+)"`).FindStringSubmatch(b.get(page).body)
		if found == nil {
			t.Fatal("the form's link does not name the form")
		}
		return found[1]
	}
	form := link()
	pay := func(amount string) *shown {
		return b.post(form, "once", b.get(form).is(200).once(), "amount", amount, "transaction_date", "2.3.2026", "kind", "payment", "seen", b.now(i).Balance.String())
	}
	first := b.get(form).once()
	refused := pay("-5").is(http.StatusUnprocessableEntity)
	if refused.once() != first {
		t.Error("a form that is shown again has another name")
	}
	pay("250,50").is(http.StatusSeeOther)
	pay("250,50").is(http.StatusSeeOther)
	if got := b.now(i).Balance; got != 749_50 {
		t.Fatalf("%s is owed", got)
	}
	other := pay("749,50").is(http.StatusConflict).tells("This form was sent already")
	if other.once() == first {
		t.Error("what a person has been told of cannot be sent")
	}
	form = link()
	pay("250,50").is(http.StatusSeeOther) // a form that was opened anew is another
	if got := b.now(i).Balance; got != 499_00 {
		t.Fatalf("%s is owed", got)
	}
}

// TestD9AFormInAListIsSentOnceWithoutScripts makes a key and a webhook as TestD9AFormIsSentOnceWithoutScripts pays: their forms stand
// in the lists, which the tabs lead to.
func TestD9AFormInAListIsSentOnceWithoutScripts(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	for list, fields := range map[string][]string{
		"operations/keys":     {"name", "Ola", "scope", "write"},
		"operations/webhooks": {"url", "https://example.no/hook"},
	} {
		link := func() string {
			found := regexp.MustCompile(`href="([^"]+/` + list + `\?form=[^"]+)"`).FindStringSubmatch(b.get("operations").body)
			if found == nil {
				t.Fatalf("the tab of %s does not name the form", list)
			}
			return found[1]
		}
		send := func(form string) int {
			return b.post(b.base+"/"+list, append(fields, "once", b.get(form).is(200).once())...).status
		}
		form := link()
		if first, again, other := send(form), send(form), send(link()); first != http.StatusOK || again != http.StatusSeeOther || other != http.StatusOK {
			t.Errorf("%s answers %d, again %d, and to a form that was opened anew %d", list, first, again, other)
		}
	}
}

// TestE8AFormIsSentOnceWhateverTheTestClockShows moves the test clock by a month between the two clicks.
func TestE8AFormIsSentOnceWhateverTheTestClockShows(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, func(c *console.Config) { c.Wall = clock.NewTest(start) })
	i := b.owing(14)
	page := fmt.Sprintf("invoices/%d", i.Number)
	form := []string{"once", b.get(page + "/pay").once(), "amount", "100", "transaction_date", "2.3.2026", "kind", "payment", "seen", "1000.00"}
	b.post(page+"/pay", form...).is(http.StatusSeeOther)
	b.on("2026-04-02")
	b.post(page+"/pay", form...).is(http.StatusSeeOther)
	if got := b.now(i).Balance; got != 900_00 {
		t.Errorf("%s is owed", got)
	}
	if said := b.get(page).text(); !strings.Contains(said, "Registered 100,00 on invoice 1.") {
		t.Error("the second click does not say what the first has done")
	}
	b.config.Wall.(*clock.Test).Set(start.Add(25 * time.Hour))
	b.post(page+"/pay", form...).is(http.StatusConflict).tells("It has changed since you looked")
}
