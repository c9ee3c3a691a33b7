package e2e_test

import (
	"database/sql"
	"os"
	"strconv"
	"testing"

	"purr/test/testkit/smtpserver"
)

// kills returns how often processes are killed: at least so often, and more if PURR_TEST_KILLS asks for it.
func kills(t *testing.T, least int) int {
	t.Helper()
	given, set := os.LookupEnv("PURR_TEST_KILLS")
	if !set {
		return least
	}
	n, err := strconv.Atoi(given)
	must(t, err)
	return max(n, least)
}

// sightings keeps which shipments were seen recorded as sent, and how many e-mails of each there were then.
// None may follow: what a server has accepted is never sent again (rule R5c).
type sightings struct {
	emails map[string]int // by shipment
	kills  int            // each can have left as many in doubt as there are jobs at once
}

func (s *sightings) record(t *testing.T, db *sql.DB, mails *smtpserver.Server) {
	t.Helper()
	sent := query(t, db, "SELECT id FROM shipments WHERE state = 'sent' AND method = 'EMAIL'")
	messages := mails.Messages()
	byShipment := countByShipment(t, messages)
	if s.emails == nil {
		s.emails = map[string]int{}
	}
	for _, id := range sent {
		if _, seen := s.emails[id]; !seen {
			s.emails[id] = byShipment[id]
		}
	}
	s.kills++
}
