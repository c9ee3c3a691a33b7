//go:build whole

package stories_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// journal writes what the books know, day by day, and how the invoices stand in the end. Letters are the files that
// lie in the outbox.
func (b books) journal(t *testing.T, letters map[string][]byte) string {
	t.Helper()
	days := map[string][]string{}
	note := func(day, format string, args ...any) { days[day] = append(days[day], fmt.Sprintf(format, args...)) }
	for _, e := range b.events {
		note(e.At[:10], "%s %s: %s", e.At[11:16], e.Type, folder.ReplaceAllString(e.Text, "open ….pdf"))
	}
	for _, n := range b.notices {
		note(n.Issued, "notice: %s: fee %s, interest %s, gross %s, due %s", n.name, n.sheet.Charge.Amount, n.sheet.Interest.Amount, n.Gross, n.Due)
	}
	b.noteEntries(t, note)
	b.noteLetters(t, letters, note)
	for _, r := range b.runs {
		if r.State != "done" {
			note(r.Date, "run: %s, caught up by that of %s", r.State, r.CaughtUpBy)
		}
	}
	var all strings.Builder
	for _, day := range slices.Sorted(maps.Keys(days)) {
		on, err := time.Parse(time.DateOnly, day)
		must(t, err)
		fmt.Fprintf(&all, "\n%s %s\n", day, on.Weekday())
		for _, line := range days[day] {
			fmt.Fprintf(&all, "  %s\n", line)
		}
	}
	all.WriteString("\nIn the end\n")
	for _, i := range slices.Concat(b.invoices, b.creditNotes) {
		fmt.Fprintf(&all, "  %s is %s; balance %s\n", i.name(), i.Status, i.Ledger.Balance)
	}
	return all.String()
}

// folder is a file in the installation's folder, which has another name each time.
var folder = regexp.MustCompile(`open /\S+\.tmp`)

type noting func(day, format string, args ...any)

// noteEntries notes the entries of each day and document together, with the balance that they lead to.
func (b books) noteEntries(t *testing.T, note noting) {
	t.Helper()
	for _, i := range slices.Concat(b.invoices, b.creditNotes) {
		entries := slices.SortedStableFunc(slices.Values(i.Ledger.Entries), func(a, b entryXML) int { return cmp.Compare(a.Date, b.Date) })
		sum := 0
		for len(entries) > 0 {
			day := entries[0].Date
			var posted []string
			for len(entries) > 0 && entries[0].Date == day {
				posted = append(posted, entries[0].Type+" "+entries[0].Amount)
				sum += ore(t, entries[0].Amount)
				entries = entries[1:]
			}
			note(day, "entries on %s: %s; balance %s", i.name(), strings.Join(posted, ", "), kroner(sum))
		}
	}
}

// shipmentID is what the name of a letter's file ends in.
var shipmentID = regexp.MustCompile(`-shipment-(\d+)\.pdf$`)

// mailed reports whether a document went by e-mail and not on paper.
func (b books) mailed(document string) bool {
	by := func(way string) bool {
		return slices.ContainsFunc(b.events, func(e eventXML) bool {
			words, _, _ := strings.Cut(document, " on invoice")
			title, _, _ := strings.Cut(words, " "+words[strings.LastIndexByte(words, ' ')+1:])
			_, number, _ := strings.Cut(document, " on invoice ")
			return e.Type == "shipment.sent" && e.Text == title+" on invoice "+number+" "+way+" sent"
		})
	}
	return by("by e-mail") && !by("on paper")
}

// elsewhere reports whether another system has sent a document: an adopted invoice, or a notice that nobody here has made.
func (b books) elsewhere(document string) bool {
	tells := func(kind, begins string) bool {
		return slices.ContainsFunc(b.events, func(e eventXML) bool { return e.Type == kind && strings.HasPrefix(e.Text, begins) })
	}
	if number, is := strings.CutPrefix(document, "invoice "); is {
		return tells("invoice.adopted", "Invoice "+number+" of ")
	}
	_, number, _ := strings.Cut(document, " on invoice ")
	return tells("invoice.adopted", "Invoice "+number+" of ") && !tells("overdue_notice.created", document+":")
}

// noteLetters notes the letters on the days on which they were sent, and fails the test unless each is one of the
// documents as the interface shows it, is there once, and every one that should be there is.
func (b books) noteLetters(t *testing.T, letters map[string][]byte, note noting) {
	t.Helper()
	printed := map[string]int{}
	for _, e := range b.events {
		if e.Type != "shipment.sent" {
			continue
		}
		for name, content := range letters {
			if shipmentID.FindStringSubmatch(name)[1] != strconv.Itoa(e.Subject) {
				continue
			}
			for _, document := range slices.Sorted(maps.Keys(b.pdfs)) { // a letter may be that of several notices
				if bytes.Equal(b.pdfs[document], content) {
					note(e.At[:10], "letter: %s", document)
					printed[document]++
				}
			}
		}
	}
	for document := range b.pdfs {
		want := 1
		if strings.Contains(document, "withdrawn") || b.mailed(document) || b.elsewhere(document) {
			want = 0
		}
		if printed[document] != want {
			t.Errorf("%s was printed %d times, not %d", document, printed[document], want)
		}
	}
}
