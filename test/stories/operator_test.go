//go:build whole

package stories_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/house"
)

// isDown stops the program, and starts it again at a time.
func isDown(until string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.in.restart(t, until)
	}
}

// endsInTheMiddle moves the clock to a time, stops the program as soon as notices have been made there, and starts it
// again.
func endsInTheMiddle(at string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		before := len(c.notices(t))
		ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
		defer cancel()
		r := c.On(t).Request(http.MethodPost, "/test_clock", strings.NewReader(house.ClockAt(moment(at))))
		moved := make(chan struct{})
		go func() {
			defer close(moved)
			if got, err := http.DefaultClient.Do(r); err == nil { // it may be broken off
				got.Body.Close()
			}
		}()
		for len(c.notices(t)) == before {
			if ctx.Err() != nil {
				t.Fatalf("no notice was made at %s", at)
			}
		}
		must(t, c.in.Stop())
		<-moved
		c.in.restart(t, at)
	}
}

// confirmsNone says, as the command line does, that no file comes from the bank for the last bank day.
func confirmsNone() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		creditor, err := c.in.App.OneCreditor(t.Context(), c.id)
		must(t, err)
		_, err = c.in.App.ConfirmNone(t.Context(), creditor, models.Date(0))
		must(t, err)
	}
}

// printerGone takes the folder for letters away: a file stands in its place.
func printerGone() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		paper := c.in.Path("outbox", "paper")
		must(t, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))
	}
}

// printerBack gives the folder for letters back.
func printerBack() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		paper := c.in.Path("outbox", "paper")
		must(t, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
	}
}
