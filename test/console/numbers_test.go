package console_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// reader reads pages as they are sent, in English, without a browser.
type reader struct {
	*desk
	client http.Client
}

// reads returns a desk whose pages are only read, of a new creditor.
func reads(t *testing.T, in *house.Installation) *reader {
	t.Helper()
	d := &desk{Page: &browser.Page{T: t, Base: in.App.URL}, in: in, creditor: in.NewCreditor(t, "Fjord Rør AS")}
	d.base, d.api = "/c/"+d.creditor, in.Client(t, d.creditor, models.ScopeAdmin)
	return d.reader(t)
}

// reader returns the desk's reader.
func (d *desk) reader(t *testing.T) *reader {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	r := &reader{d, http.Client{Jar: jar}}
	signedIn, err := r.client.PostForm(d.in.App.URL+"/sign-in", url.Values{"key": {d.newKey(t, models.ScopeAdmin)}})
	must(t, err)
	must(t, signedIn.Body.Close())
	return r
}

// page reads a page, and fails the test if its text has a fault.
func (r *reader) page(path string) *html.Node {
	r.T.Helper()
	request, err := http.NewRequestWithContext(r.T.Context(), http.MethodGet, r.in.App.URL+r.base+"/"+path, nil)
	must(r.T, err)
	request.Header.Set("Accept-Language", "en")
	answer, err := r.client.Do(request)
	must(r.T, err)
	body, err := io.ReadAll(answer.Body)
	must(r.T, err)
	must(r.T, answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		r.T.Fatalf("%s answers %d:\n%s", path, answer.StatusCode, body)
	}
	if found := garbled.FindString(string(body)); found != "" {
		r.T.Errorf("%s has %q", path, found)
	}
	page, err := html.Parse(strings.NewReader(string(body)))
	must(r.T, err)
	return page
}

// rows returns the rows of a page's tables by their first cells: the numbers of the other cells. If several rows begin alike, it is
// the first one.
func (r *reader) rows(path string) map[string][]string {
	r.T.Helper()
	rows := map[string][]string{}
	for n := range r.page(path).Descendants() {
		if n.Data != "tr" {
			continue
		}
		var cells []string
		for c := range n.ChildNodes() {
			if c.Data == "td" || c.Data == "th" {
				cells = append(cells, textOf(c))
			}
		}
		if _, had := rows[cells[0]]; !had {
			rows[cells[0]] = cells[1:]
		}
	}
	return rows
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// planned are the figures of a day's plan by the interface, by the names of the console's rows.
func (r *reader) planned(path string) (figures map[string]string, different bool) {
	r.T.Helper()
	reminders, warnings, handOvers, alone, fees, interest := 0, 0, 0, 0, 0, 0
	for _, step := range r.api.List(path) {
		switch {
		case step.Name() == "notice" && step.At("@is_incasso_notice") == "1":
			warnings++
		case step.Name() == "notice":
			reminders++
		case step.Name() == "hand_over":
			handOvers++
		case step.Name() == "left_alone":
			alone++
		}
		if step.Name() == "notice" {
			fees, interest = fees+step.Ore("@overdue_charge"), interest+step.Ore("@interest")
		}
	}
	figures = map[string]string{
		"Reminders": fmt.Sprint(reminders), "Debt-collection warnings": fmt.Sprint(warnings), "Hand-overs": fmt.Sprint(handOvers), "Left alone": fmt.Sprint(alone),
		"Fees": shownAmount(models.Amount(fees)), "Interest": shownAmount(models.Amount(interest)),
	}
	seen := map[string]bool{"0": true}
	for _, f := range figures {
		if seen[f] {
			return figures, false
		}
		seen[f] = true
	}
	return figures, true
}

// mustShow fails the test if a page's rows do not have the figures.
func (r *reader) mustShow(path string, want map[string]string, names ...string) {
	r.T.Helper()
	rows := r.rows(path)
	for _, name := range names {
		if got := rows[name]; len(got) == 0 || got[0] != want[name] {
			r.T.Errorf("%s, %s: it shows %q, the interface says %s", path, name, got, want[name])
		}
	}
}

// mustRun approves the run of a day that waits, and fails the test unless the runs' pages say that it did what was planned.
func (r *reader) mustRun(day string, want map[string]string) {
	r.T.Helper()
	all := r.api.List("/dunning_runs")
	run := all[slices.IndexFunc(all, func(n house.Node) bool { return n.At("date") == day })].Shows("state waiting")
	r.api.Post(run.URI()+"/approve", "<approve/>").Is(http.StatusOK)
	r.at(day + " 12:01")
	run = r.api.Get(run.URI()).Shown().Shows("state done")
	names := []string{"Reminders", "Debt-collection warnings", "Hand-overs", "Fees", "Interest"}
	facts, did := r.facts("dunning/runs/"+idOf(run)), []string{run.At("steps")}
	if facts["Steps"] != run.At("steps") {
		r.T.Errorf("the run's page shows %s steps, the interface says %s", facts["Steps"], run.At("steps"))
	}
	for _, name := range names {
		if did = append(did, want[name]); facts[name] != want[name] {
			r.T.Errorf("the run's page, %s: it shows %q, planned were %s", name, facts[name], want[name])
		}
	}
	short := date(r.T, day).Time().Format("02.01.2006")
	if got := r.rows("dunning/runs")[short]; len(got) < 7 || !slices.Equal(got[1:7], did) {
		r.T.Errorf("of the run of %s the list shows %q, want %q", short, got, did)
	}
}

func date(t testing.TB, s string) models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	must(t, err)
	return d
}
