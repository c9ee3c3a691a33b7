package jobs

import (
	"context"
	"errors"
	"testing"

	"purr/models"
)

// aPayload is one whose check says what it holds.
type aPayload struct{ found error }

func (p aPayload) check(context.Context, *Worker) error { return p.found }

// TestO12OnlyThePayloadsCheckSaysForged: what the work itself fails with is tried again, of whatever kind it is.
func TestO12OnlyThePayloadsCheckSaysForged(t *testing.T) {
	t.Parallel()
	away := models.Unavailable("the database", errors.New("gone"))
	for _, tt := range []struct {
		name        string
		check, work error
		forged      bool
	}{
		{"all is well", nil, nil, false},
		{"it names what there is not", models.NotFound("creditor"), nil, true},
		{"it asks for what is refused", models.Invalid("", "", "no kind of run"), nil, true},
		{"the check cannot ask", away, nil, false},
		{"the work misses a row of ours", nil, models.NotFound("customer"), false},
		{"the work finds something invalid", nil, models.Invalid("", "", "a bug"), false},
	} {
		err := known(nil, func(context.Context, aPayload) error { return tt.work })(t.Context(), aPayload{tt.check})
		if isForged(err) != tt.forged || (err == nil) != (tt.check == nil && tt.work == nil) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
