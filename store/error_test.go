package store

import (
	"errors"
	"fmt"
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
