package stories_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"purr/models"
)

// isDown stops the program, and starts it again at a time.
func isDown(until string) act {
	return func(t *testing.T, c *client) {
		t.Helper()
		c.in.stop(t)
		c.in.run(t, until)
	}
}

// confirmsNone says, as the command line does, that no file comes from the bank for the last bank day.
func confirmsNone() act {
	return func(t *testing.T, c *client) {
		t.Helper()
		creditor, err := c.in.app.OneCreditor(t.Context(), c.name)
		must(t, err)
		_, err = c.in.app.ConfirmNone(t.Context(), creditor, models.Date(0))
		must(t, err)
	}
}

// printerGone takes the folder for letters away: a file stands in its place.
func printerGone() act {
	return func(t *testing.T, c *client) {
		t.Helper()
		paper := c.in.paper()
		must(t, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))
	}
}

// printerBack gives the folder for letters back.
func printerBack() act {
	return func(t *testing.T, c *client) {
		t.Helper()
		paper := c.in.paper()
		must(t, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
	}
}

// paper is the folder that letters are put into.
func (in *installation) paper() string { return filepath.Join(in.cfg.Data, "outbox", "paper") }
