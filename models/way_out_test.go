package models

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestD107RefusalsAreComparedWithoutTheirRecipients holds what differs from one recipient to the next.
func TestD107RefusalsAreComparedWithoutTheirRecipients(t *testing.T) {
	for _, alike := range [][]string{
		{`550 "<a@one.example>: Relay access denied"`, `550 "<b@two.example>: relay access  denied"`},
		{"550 5.7.1 a@one.example from [10.1.2.3456] rejected", "550 5.7.1 b@two.example from [10.1.2.7654] rejected"},
		{"550 not taken q7f3a9c1d2 mx1.one.example", "550 not taken z8e2b1c4d9 mx22.two.example"},
	} {
		for _, text := range alike[1:] {
			if got, want := RefusalWords(text), RefusalWords(alike[0]); got != want || want == "" {
				t.Errorf("%q is %q, and %q is %q", text, got, alike[0], want)
			}
		}
	}
	if RefusalWords("550 5.1.1 unknown") == RefusalWords("550 5.7.1 unknown") || RefusalWords("550 no") == RefusalWords("554 no") {
		t.Error("codes do not count")
	}
	if got := RefusalWords(strings.Repeat("æ ", 5000)); len([]rune(got)) > 300 {
		t.Errorf("it has %d characters", len([]rune(got)))
	}
}

// TestD107WhatARefusalMeans: each row is a day of a way, told as who was refused by whose fault (r the recipient's, s the settings',
// u unclear), accepted (a), or that an hour (h) or a day and an hour (d) passes.
func TestD107WhatARefusalMeans(t *testing.T) {
	for _, tt := range []struct{ day, want string }{
		{"r1", "gone"},
		{"r1 r2", "gone gone"},
		{"r1 r2 r3", "gone gone owed paused"},
		{"r1 r1 r1 r1", "gone gone gone gone"},
		{"r1 r2 a r3", "gone gone gone"},
		{"s1 s1 s1", "owed owed owed"},
		{"s1 s2 s3 s4", "owed owed owed paused owed"},
		{"s1 s2 a s3", "owed owed owed"},
		{"s1 s2 s3 a", "owed owed owed paused resumed"},
		{"u1", "owed"},
		{"u1 a u1", "owed gone"},
		{"u1 h u1", "owed gone"},
		{"u1 u2 h u1", "owed owed owed"},
		{"u1 u2 d u1 d u2", "owed owed owed owed"},
		{"u1 u2 a u1", "owed owed gone"},
		{"u1 u2 u3 h u4", "owed owed owed paused owed"},
		{"u1 u2 u3 d u4", "owed owed owed paused owed"},
		{"r1 r2 r3 d r3", "gone gone owed paused gone"},
	} {
		w, since := WayOut{}, time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
		now, got, tried := since, []string(nil), map[string]*Shipment{}
		for step := range strings.FieldsSeq(tt.day) {
			now = now.Add(time.Second)
			switch step[0] {
			case 'h':
				now = now.Add(time.Hour)
			case 'd':
				now = now.Add(25 * time.Hour)
			case 'a':
				if w.Accept(now) {
					got = append(got, "resumed")
				}
			default:
				blame := map[byte]Blame{'r': BlameRecipient, 's': BlameSettings, 'u': BlameUnclear}[step[0]]
				if tried[step] == nil {
					tried[step] = &Shipment{FirstAttempt: &since}
				}
				s := tried[step]
				h := w.Refuse(Refusal{blame, "no", fmt.Sprintf("x@%s.example", step[1:]), &since, s.Overdue(now), s.WaitedUnclear(now)}, now, now)
				word := "gone"
				if h.Owed {
					word = "owed"
				}
				if h.Blame == BlameUnclear {
					s.WaitUnclear(now)
				}
				if got = append(got, word); h.Paused {
					got = append(got, "paused")
				}
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.day, strings.Join(got, " "), tt.want)
		}
	}
}

func TestD105WaysAreWrittenAndRead(t *testing.T) {
	w := Ways{ByEmail: WaySMTP, ByPaper: WayIPP}
	if got := w.String(); got != "PAPER=ipp EMAIL=smtp EHF=folder COLLECTION=folder AVTALEGIRO=folder" {
		t.Errorf("it is %q", got)
	}
	back := ParseWays(w.String())
	if !back.Real(ByEmail) || back.Real(ByEHF) || back.Of(ByPaper) != WayIPP || ParseWays("").Real(ByEmail) || len(ParseWays("x y=").RealMethods()) != 0 {
		t.Errorf("it is read as %v", back)
	}
}

// TestD117AWayIsToldOfAgainAfterAClockThatWasAhead: what it noted at a moment that is still to come says nothing.
func TestD117AWayIsToldOfAgainAfterAClockThatWasAhead(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	ahead, w := now.Add(25*time.Hour), WayOut{}
	for _, tt := range []struct {
		at   time.Time
		want bool
	}{{ahead, true}, {now, true}, {now.Add(time.Hour), false}, {now.Add(24 * time.Hour), true}} {
		if got := w.Tell("way.refused 535", tt.at); got != tt.want {
			t.Errorf("at %s it is told %t", tt.at, got)
		}
	}
	w = WayOut{}
	w.Accept(ahead)
	if h := w.Refuse(Refusal{Blame: BlameUnclear, Words: "no", Recipient: "x@1.example", Since: &now}, now, now); !h.Owed {
		t.Error("what was accepted by that clock proves that a refusal is the recipient's")
	}
}

// TestD118ABatchIsTriedAgainAfterSleep: a batch that was tried for a week is tried on after a sleep, three times at least and over an hour.
func TestD118ABatchIsTriedAgainAfterSleep(t *testing.T) {
	begin := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name           string
		before, asleep time.Duration // the time tried before it sleeps
		least, most    time.Duration // for which it is tried on
	}{
		{"awake all the time", 0, 0, 167 * time.Hour, 169 * time.Hour},
		{"asleep after the first attempt", 0, 25 * time.Hour, 165 * time.Hour, 169 * time.Hour},
		{"asleep in its last hour", 167*time.Hour + 30*time.Minute, 25 * time.Hour, time.Hour, 4 * time.Hour},
	} {
		b, now := LetterBatch{CreatedAt: begin}, begin
		attempt := func() bool {
			if b.Begin(now, now); b.Overdue(now) {
				return false
			}
			b.End(now, now)
			b.NextAttempt = now.Add(RetryPause(b.Attempts))
			now = b.NextAttempt
			return true
		}
		ok := attempt()
		for ok && now.Sub(begin) < tt.before {
			ok = attempt()
		}
		now = now.Add(tt.asleep)
		awake, attempts := now, 1
		for attempt() {
			attempts++
		}
		if over := now.Sub(awake); attempts < 3 || over < tt.least || over > tt.most {
			t.Errorf("%s: given up after %d more attempts over %s, want from %s to %s", tt.name, attempts, over, tt.least, tt.most)
		}
	}
}
