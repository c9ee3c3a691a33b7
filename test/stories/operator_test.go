package stories_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"purr/models"
)

// isDown stops the program, and starts it again at a time.
func isDown(until string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.in.stop(t)
		c.in.run(t, until)
	}
}

// endsInTheMiddle moves the clock to a time, stops the program as soon as notices have been made there, and starts it
// again.
func endsInTheMiddle(at string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		before := len(c.notices(t))
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r := c.request(t, http.MethodPost, "/test_clock", "application/xml", clockAt(at))
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
		c.in.stop(t)
		<-moved
		c.in.run(t, at)
	}
}

// confirmsNone says, as the command line does, that no file comes from the bank for the last bank day.
func confirmsNone() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		creditor, err := c.in.app.OneCreditor(t.Context(), c.name)
		must(t, err)
		_, err = c.in.app.ConfirmNone(t.Context(), creditor, models.Date(0))
		must(t, err)
	}
}

// printerGone takes the folder for letters away: a file stands in its place.
func printerGone() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		paper := c.in.paper()
		must(t, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))
	}
}

// printerBack gives the folder for letters back.
func printerBack() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		paper := c.in.paper()
		must(t, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
	}
}

// paper is the folder that letters are put into.
func (in *installation) paper() string { return filepath.Join(in.cfg.Data, "outbox", "paper") }
