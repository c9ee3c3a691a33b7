package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit/house"
)

// TestD103AnInboxAmongPurrsOwnFolders is refused before anything is made, and so is another installation's.
func TestD103AnInboxAmongPurrsOwnFolders(t *testing.T) {
	eachDatabase(t, func(t *testing.T, shared *installation) {
		in := house.New(t, moment(beginning), shared.setup.Change)
		data, outside := in.Config.Data, t.TempDir()
		must(t, os.Symlink(data, filepath.Join(outside, "link")))
		for inbox, why := range map[string]string{
			data:                                              "is ",
			filepath.Dir(data):                                "contains ",
			filepath.Join(data, "archive"):                    "is ",
			filepath.Join(data, "outbox"):                     "is ",
			filepath.Join(data, "outbox", "email"):            "lies in ",
			filepath.Join(data, "workers", "in"):              "lies in ",
			filepath.Join(outside, "link", "reports", "bank"): "lies in ",
			filepath.Join(data, "inbox", "..", "archive"):     "is ",
		} {
			in.Config.Inbox.Folder = inbox
			if err := in.Run(); err == nil || !strings.Contains(err.Error(), "inbox: "+inbox+" "+why) {
				t.Errorf("%s is taken as the inbox, or refused for another reason: %v", inbox, err)
			}
		}
		made := func() (names []string) {
			entries, err := os.ReadDir(data)
			must(t, err)
			for _, e := range entries {
				if !strings.HasPrefix(e.Name(), "purr.db") {
					names = append(names, e.Name())
				}
			}
			return names
		}
		same(t, "made by refused starts", made(), nil)

		in.Config.Inbox.Folder = filepath.Join(outside, "inbox")
		must(t, in.Run())
		must(t, in.Stop())
		must(t, in.Run())
		other := house.New(t, moment(beginning), shared.setup.Change)
		other.Config.Inbox.Folder = in.Config.Inbox.Folder
		if err := other.Run(); err == nil || !strings.Contains(err.Error(), "another installation") {
			t.Errorf("another's inbox: %v", err)
		}
		other.Config.Inbox.Folder = filepath.Join(other.Config.Data, "inbox")
		must(t, other.Run())
	})
}

// TestD103ADefaultInboxThatAnotherHasTaken is no exception: the mark stays, and the start is refused, until the mark is removed or a
// person has said that the installation before is gone.
func TestD103ADefaultInboxThatAnotherHasTaken(t *testing.T) {
	eachDatabase(t, func(t *testing.T, shared *installation) {
		for _, gone := range []bool{false, true} {
			in, other := house.New(t, moment(beginning), shared.setup.Change), house.New(t, moment(beginning), shared.setup.Change)
			in.Config.Inbox.Folder = filepath.Join(in.Config.Data, "inbox")
			other.Config.Inbox.Folder = in.Config.Inbox.Folder
			must(t, other.Run())
			mark := filepath.Join(in.Config.Inbox.Folder, ".purr-inbox")
			others, err := os.ReadFile(mark)
			must(t, err)
			in.Config.New = gone
			err = in.Run()
			now, readErr := os.ReadFile(mark)
			must(t, readErr)
			if gone {
				must(t, err)
				equal(t, "the mark is the other's after --new", string(now) == string(others), false)
				continue
			}
			refusedFor(t, "a start", err, "is the inbox of another installation, "+strings.TrimSpace(string(others)))
			equal(t, "the mark", string(now), string(others))
			must(t, os.Remove(mark))
			must(t, in.Run())
		}
	})
}
