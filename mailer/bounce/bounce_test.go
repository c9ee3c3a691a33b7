package bounce_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/mailer/bounce"
	"purr/test/testkit"
)

// told writes a report as text.
func told(r bounce.Report) string {
	var b strings.Builder
	moment := func(name string, at time.Time) {
		if !at.IsZero() {
			fmt.Fprintf(&b, "  %s %s\n", name, at.UTC().Format(time.RFC3339))
		}
	}
	for _, tag := range r.Tags {
		fmt.Fprintf(&b, "  tag %s\n", tag)
	}
	moment("sent", r.Sent)
	moment("arrived", r.Arrived)
	for _, to := range r.Recipients {
		fmt.Fprintf(&b, "  recipient: %s, %q, %q\n", to.Action, to.Status, to.Diagnostic)
		moment("  attempted", to.Attempted)
	}
	if len(r.Recipients) == 0 {
		fmt.Fprintln(&b, "  no delivery report")
	}
	if r.CutOff {
		fmt.Fprintln(&b, "  cut off")
	}
	return b.String()
}

func mustRead(t testing.TB, content []byte) bounce.Report {
	t.Helper()
	r, err := bounce.Read(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no reports: %v", err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = content
	}
	return all
}

// TestS3aWhatTheReportsOfCommonServersTell reads a report of each, written after RFC 3464 and what they are known to write.
func TestS3aWhatTheReportsOfCommonServersTell(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "told.txt")
	var b strings.Builder
	all := corpus(t)
	paths, err := filepath.Glob("testdata/*.eml") // in order
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		said := told(mustRead(t, all[path]))
		fmt.Fprintf(&b, "%s\n%s", filepath.Base(path), said)
		onTheWire := bytes.ReplaceAll(all[path], []byte("\n"), []byte("\r\n"))
		if other := told(mustRead(t, onTheWire)); other != said {
			t.Errorf("with the line ends of the network %s tells\n%s", path, other)
		}
	}
	testkit.Golden(t, golden, b.String())
}

// bomb is an e-mail that holds parts within parts, or as many as fit.
func bomb(levels, each int) string {
	var b strings.Builder
	b.WriteString("To: bounce+7-k3pq5d2xw7anm4zr@example.no\n")
	for level := range levels {
		fmt.Fprintf(&b, "Content-Type: multipart/report; boundary=b%d\n\n", level)
		for range each {
			fmt.Fprintf(&b, "--b%d\n\n", level)
		}
		fmt.Fprintf(&b, "--b%d\n", level)
	}
	b.WriteString("Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n" + strings.Repeat("Action: failed\nStatus: 5.1.1\n\n", 100_000))
	return b.String()
}

func TestS3aHostileReports(t *testing.T) {
	t.Parallel()
	megabytes := strings.Repeat("x", 10<<20)
	const report = "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
	for name, tt := range map[string]struct {
		content    string
		recipients int
	}{
		"nothing":                        {"", 0},
		"a line of ten megabytes":        {megabytes, 0},
		"a header of ten megabytes":      {"To: " + megabytes, 0},
		"as many headers":                {strings.Repeat("To: bounce+7-k3pq5d2xw7anm4zr@example.no\n", 20_000) + report + "Action: failed\n", 1},
		"parts in parts":                 {bomb(4, 1), 100},
		"parts in too many parts":        {bomb(50, 1), 0},
		"too many parts":                 {bomb(1, 500_000), 0},
		"ten megabytes before the part":  {"Content-Type: multipart/report; boundary=b\n\n" + megabytes + "\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n", 0},
		"a diagnosis of ten megabytes":   {report + "\nAction: failed\nDiagnostic-Code: smtp; " + megabytes, 1},
		"no boundary":                    {"Content-Type: multipart/report\n\n--\nContent-Type: message/delivery-status\n\nAction: failed\n", 0},
		"an encoding that nobody knows":  {strings.Replace(report, "status\n", "status\nContent-Transfer-Encoding: x-bomb\n", 1) + "\nAction: failed\n\n--b--\n", 1},
		"a character set nobody knows":   {"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: text/plain; charset=x-y\n\nhei\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n\n--b--\n", 1},
		"an action that nobody knows":    {report + "\nAction: exploded\n\n--b--\n", 0},
		"a report that is the whole":     {"Content-Type: message/delivery-status\n\nAction: failed\n", 0},
		"an action after the last field": {report + "\nAction:\n failed\n\n--b--\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := mustRead(t, []byte(tt.content))
			if len(r.Recipients) != tt.recipients {
				t.Errorf("it tells of %d recipients, want %d", len(r.Recipients), tt.recipients)
			}
			if len(r.Tags) > 20 {
				t.Errorf("it has %d tags", len(r.Tags))
			}
		})
	}
}

func TestS3aAllOfAnEmailIsTakenFromAPipe(t *testing.T) {
	t.Parallel()
	long := strings.NewReader(strings.Repeat("x", bounce.MaxSize+12345))
	kept, err := bounce.Take(long)
	if err != nil || len(kept) != bounce.MaxSize || long.Len() != 0 {
		t.Errorf("%d bytes are kept and %d are left, %v", len(kept), long.Len(), err)
	}
	if _, err := bounce.Take(io.MultiReader(strings.NewReader("To: x"), broken{})); err == nil {
		t.Error("a pipe that breaks is an e-mail that is whole")
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// FuzzRead: whatever an e-mail is, reading it ends, and what it tells keeps to the limits.
func FuzzRead(f *testing.F) {
	for _, content := range corpus(f) {
		f.Add(content)
	}
	f.Add([]byte(bomb(3, 2)[:2000]))
	f.Fuzz(func(t *testing.T, content []byte) {
		r := mustRead(t, content)
		if len(r.Tags) > 20 || len(r.Recipients) > 100 {
			t.Errorf("%d tags, %d recipients", len(r.Tags), len(r.Recipients))
		}
		for _, to := range r.Recipients {
			if to.Action == "" || strings.ContainsAny(to.Action+to.Status, " \r\n") {
				t.Errorf("it tells %+v", to)
			}
		}
	})
}
