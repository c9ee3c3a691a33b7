package api

import (
	"context"
	"encoding/xml"
	"time"

	"purr/api/form"
	"purr/api/once"
)

// testClockXML is the time of the test clock (rule E8).
type testClockXML struct {
	XMLName xml.Name `xml:"test_clock"`
	Now     string   `xml:"now"`
}

// showTestClock shows the time of the test clock.
func (s *Server) showTestClock(_ context.Context, rq *request) (answer, error) {
	return rq.ok(testClockXML{Now: s.cfg.TestClock.Now().Format(time.RFC3339Nano)})
}

// moveTestClock moves the test clock forward, and answers when all work that fell due is done.
func (s *Server) moveTestClock(ctx context.Context, rq *request, body form.Body, key *once.Key) (answer, error) {
	f, err := form.Parse(body, "test_clock")
	if err != nil {
		return answer{}, err
	}
	f.Require("now")
	to, _ := form.Parsed(f.Element, "now", parseMoment, "invalid_time", "must be a time as RFC 3339 has it, such as 2026-01-31T06:00:00+01:00")
	if err := f.Done(nil); err != nil {
		return answer{}, err
	}
	return s.leased(ctx, rq, key, func(string) (answer, error) {
		if err := s.cfg.TestClock.Advance(ctx, to); err != nil {
			return answer{}, err
		}
		return s.showTestClock(ctx, rq)
	})
}

func parseMoment(s string) (time.Time, error) { return time.Parse(time.RFC3339, s) }
