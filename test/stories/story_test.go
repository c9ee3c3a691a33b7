//go:build whole

// Package stories_test tells what becomes of invoices over simulated months, through the public API. The whole program
// runs on a test clock, and each act happens on its day. Afterwards the events, notices, entries and letters of those
// days must be those of a journal that a person has read.
//
// Each story states a second time what the law allows: which fee on which day, and interest for which days. Those
// figures are computed by hand, so that a wrong journal is found. The package uses nothing of the program's inside.
package stories_test

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode"

	"purr/test/testkit"
	"purr/test/testkit/audited"
	"purr/test/testkit/house"
)

// The words of package house that tests use all the time.
var (
	below  = house.Below
	moment = house.Moment
	must   = testkit.Must
	tag    = house.Tag
)

// TestMain makes the garbage collector run less often: the program is small here, and simulates many days.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// chapter is a period and its stories. The stories share one installation, so that each day is simulated once, and
// most of them share a creditor.
type chapter struct {
	begins, ends string // the last day included
	policy       string // elements of the dunning policy of the creditor that the stories share
	stories      []story
	inJSON       bool // what is sent is sent in JSON (rule J1)
}

// tellInBothForms tells the chapter in XML, and in JSON: its journals are the same.
func (ch chapter) tellInBothForms(t *testing.T) {
	t.Helper()
	t.Run("XML", func(t *testing.T) { t.Parallel(); ch.tell(t, house.Embedded) })
	ch.inJSON = true
	t.Run("JSON", func(t *testing.T) { t.Parallel(); ch.tell(t, house.Embedded) })
}

// story is what happens to the invoices of some customers, and what must come of it.
type story struct {
	title   string      // a sentence
	policy  string      // elements that the customers' own dunning policy has otherwise, or the creditor's where it is apart
	apart   bool        // it has a creditor of its own
	happens []happening // in order
	charged []charge    // every notice, in order of day and invoice, with what the law gives for it
}

// happening is what is done at a moment. What is done at one moment is done at once: what the program does of itself
// comes after it.
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

// tell simulates the days of the chapter, and compares what became of each story with its journal.
func (ch chapter) tell(t *testing.T, change house.Change) {
	t.Helper()
	in := start(t, ch.begins+" 00:01", change)
	in.inJSON = ch.inJSON
	type scene struct {
		happening
		of *cast
	}
	var scenes []scene
	casts := make([]*cast, len(ch.stories))
	var shared *client
	for i, s := range ch.stories {
		switch {
		case s.apart:
			casts[i] = in.newCreditor(t, s.policy).cast("")
		case shared == nil:
			shared = in.newCreditor(t, ch.policy)
			fallthrough
		default:
			casts[i] = shared.cast(s.policy)
		}
		for _, h := range s.happens {
			scenes = append(scenes, scene{h, casts[i]})
		}
	}
	slices.SortStableFunc(scenes, func(a, b scene) int { return cmp.Compare(a.at, b.at) })
	now := ""
	for _, s := range scenes {
		if s.at != now {
			in.goesOn(t, s.at)
			now = s.at
		}
		for _, do := range s.acts {
			do(t, s.of)
		}
	}
	in.goesOn(t, ch.ends+" 23:59")
	in.mustNotComplain(t)
	audited.Clean(t, in.App)
	if sent := in.sentInJSON.Load(); ch.inJSON != (sent > 0) {
		t.Errorf("%d requests were sent in JSON", sent)
	}
	letters := in.Letters(t)
	for i, s := range ch.stories {
		t.Run(s.title, func(t *testing.T) {
			b := casts[i].books(t, s.apart)
			b.mustBeLawful(t)
			b.mustCharge(t, s.charged)
			s.compare(t, s.title+".\n"+b.journal(t, letters))
		})
	}
}

// compare holds a journal against the one that is kept.
func (s story) compare(t *testing.T, told string) {
	t.Helper()
	path := filepath.Join("testdata", s.fileName())
	testkit.Golden(t, path, told)
	if t.Failed() {
		t.Logf("the whole of it:\n%s", told)
	}
}

// fileName makes a file's name of the title.
func (s story) fileName() string {
	words := strings.FieldsFunc(strings.ToLower(s.title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "_") + ".txt"
}
