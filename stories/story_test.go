// Package stories_test tells what becomes of invoices over simulated months, through the public API: each story
// starts the whole program on a test clock, lets things happen on their days, and holds all that the program then
// knows of those days, events, notices, entries and letters, against a journal that was read by a person.
//
// What the law speaks of, which fee on which day and interest for which days, stands in each story a second time,
// reckoned by hand, so that a wrong journal cannot slip in. The package knows how the program is started and how a
// creditor gets a key, and nothing else of its inside.
package stories_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"purr/config"
)

var update = flag.Bool("update", false, "write the journals of the stories anew; read what it wrote")

// story is what happens to the invoices of a creditor, and what must come of it.
type story struct {
	title    string      // a sentence
	begins   string      // the first day
	policy   string      // elements of the dunning policy that are not the defaults, besides that it is enabled
	settings string      // elements of the creditor besides
	happens  []happening // in order
	ends     string      // the last day, which is lived through
	charged  []charge    // every notice, in order of day and invoice, with what the law gives for it
	anywhere bool        // told on MySQL and Redis too
}

// happening is what is done at a moment.
type happening struct {
	at   string
	acts []act
}

// on does something at noon of a day, or at the time after it.
func on(at string, acts ...act) happening {
	if len(at) == len("2026-01-01") {
		at += " 12:00"
	}
	return happening{at, acts}
}

// tell lives through the stories, each in an installation of its own.
func tell(t *testing.T, stories ...story) {
	t.Helper()
	t.Parallel()
	for _, s := range stories {
		t.Run(s.title, func(t *testing.T) {
			t.Parallel()
			s.tell(t, func(testing.TB, *config.Config) {})
		})
		if s.anywhere {
			t.Run(s.title+" (MySQL, Redis)", func(t *testing.T) {
				t.Parallel()
				s.tell(t, onServers)
			})
		}
	}
}

func (s story) tell(t *testing.T, configure func(testing.TB, *config.Config)) {
	t.Helper()
	in := start(t, s.begins+" 00:01", configure)
	c := in.newCreditor(t)
	c.change(t, "/creditor", tag("creditor", tag("bank_account", c.account), s.settings, policyOf(s.policy)))
	for _, h := range s.happens {
		in.goesOn(t, h.at)
		for _, do := range h.acts {
			do(t, c)
			in.goesOn(t, h.at) // what it has set going is done before anything else happens
		}
	}
	in.goesOn(t, s.ends+" 23:59")
	var told strings.Builder
	told.WriteString(s.title + ".\n")
	for _, c := range in.creditors {
		b := c.books(t)
		b.mustBeLawful(t)
		if c.number == 1 {
			b.mustCharge(t, s.charged)
		} else {
			told.WriteString("\nThe books of creditor 2.\n")
		}
		told.WriteString(b.journal(t, in.letters(t)))
	}
	in.mustNotComplain(t)
	s.compare(t, told.String())
}

// compare holds a journal against the one that is kept.
func (s story) compare(t *testing.T, told string) {
	t.Helper()
	path := filepath.Join("testdata", s.fileName())
	if *update {
		must(t, os.WriteFile(path, []byte(told), 0o644))
	}
	kept, err := os.ReadFile(path)
	must(t, err)
	if told == string(kept) {
		return
	}
	got, want := strings.Split(told, "\n"), strings.Split(string(kept), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s has in line %d\n%s\nand now it is\n%s", path, i+1, lineAt(want, i), lineAt(got, i))
			break
		}
	}
	t.Logf("the whole of it:\n%s", told)
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(the end)"
}

// fileName makes a file's name of the title.
func (s story) fileName() string {
	words := strings.FieldsFunc(strings.ToLower(s.title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "_") + ".txt"
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
