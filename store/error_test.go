package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"purr/models"
)

// TestErrorsOfMySQLHoldNoValues: errors go into the log, which must hold no personal data.
func TestErrorsOfMySQLHoldNoValues(t *testing.T) {
	for _, tt := range []struct {
		number        uint16
		message, want string
	}{
		{1062, "Duplicate entry '1-kari@hemmelig.no' for key 'customers_number'", "MySQL error 1062: Duplicate entry '…' for key 'customers_number'"},
		{1062, "Duplicate entry '1-O'Hemmelig' for key 'b'' for key 'customers.customers_number'", "MySQL error 1062: Duplicate entry '…' for key 'customers.customers_number'"},
		{1062, "Duplicate entry '1-hemmelig, cut off", "MySQL error 1062: Duplicate entry '…'"},
		{1366, "Incorrect string value: '\\xF0 hemmelig' for column `purr`.`customers`.`name1` at row 1", "MySQL error 1366: Incorrect string value: '…' for column `purr`.`customers`.`name1` at row 1"},
		{1064, "You have an error near 'hemmelig', 'it''s hemmelig' at line 1", "MySQL error 1064: You have an error near '…' at line 1"},
		{1213, "Deadlock found", "MySQL error 1213: Deadlock found"},
	} {
		cause := &mysql.MySQLError{Number: tt.number, Message: tt.message}
		for _, err := range []error{cause, fmt.Errorf("of hemmelig: %w", cause), classify(cause, "")} {
			got := classify(err, "")
			if !strings.HasSuffix(got.Error(), tt.want) || strings.Contains(got.Error(), "hemmelig") {
				t.Errorf("%q becomes %q, want %q", err, got, tt.want)
			}
			if !errors.Is(got, cause) || errors.Is(got, ErrDuplicate) != (tt.number == 1062) {
				t.Errorf("%q is no longer what it was", got)
			}
		}
	}
	away := classify(&mysql.MySQLError{Number: 1290, Message: "running with 'hemmelig'"}, "")
	if models.KindOf(away) != models.KindUnavailable || strings.Contains(away.Error(), "hemmelig") {
		t.Errorf("a server that is away says %q", away)
	}
}

// broken is a connector that always fails.
type broken struct{ error }

func (b broken) Connect(context.Context) (driver.Conn, error) { return nil, b.error }
func (b broken) Driver() driver.Driver                        { return mysql.MySQLDriver{} }

// TestO7AConnectionThatBreaksAtItsGreetingIsTriedAgain: whatever keeps a connection from being made, except the server's own
// word, may be over in a moment.
func TestO7AConnectionThatBreaksAtItsGreetingIsTriedAgain(t *testing.T) {
	for _, tt := range []struct {
		failure error
		want    models.Kind
	}{
		{errors.New("bad connection"), models.KindUnavailable}, // as the driver says when it cannot answer the greeting
		{io.ErrShortWrite, models.KindUnavailable},
		{mysql.ErrMalformPkt, models.KindUnavailable},
		{mysql.ErrInvalidConn, models.KindUnavailable},
		{&mysql.MySQLError{Number: 1045, Message: "Access denied"}, models.KindInternal},
	} {
		_, err := session{Connector: broken{tt.failure}}.Connect(t.Context())
		if kind := models.KindOf(classify(err, "")); kind != tt.want || !errors.Is(err, tt.failure) {
			t.Errorf("%q becomes %q of kind %d, want %d", tt.failure, err, kind, tt.want)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (session{Connector: broken{context.Canceled}}).Connect(cancelled); models.KindOf(classify(err, "")) == models.KindUnavailable {
		t.Errorf("a caller who has left is told %q", err)
	}
}
