//go:build chaos

package chaos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// clockVariable names the variable that sets the clock of a process apart, in seconds.
const clockVariable = "CHAOS_CLOCK"

// queueModule is the library of the queue, which asks the system for the time by itself.
const queueModule = "github.com/hibiken/asynq"

// shiftedClock is a file that is added to each package that asks for the time.
const shiftedClock = `package %s

import (
	"os"
	"time"
)

var chaosShift, _ = time.ParseDuration(os.Getenv("` + clockVariable + `") + "s")

func chaosNow() time.Time { return time.Now().Add(chaosShift) }
`

// realDeadlines makes deadlines of contexts, which our copy takes from the shifted clock, those of the system's again. On a
// machine with a wrong clock the two are one.
var realDeadlines = regexp.MustCompile(`context\.WithDeadline\((.*), (\S+)\)\n`)

// buildWithShiftedClock builds the program so that its clock, and that of its queue, obey the variable: a machine with a
// wrong clock. The program itself has no switch for that. It is built from changed copies of the two.
func buildWithShiftedClock(ctx context.Context, folder, binary string) error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	overlay, clock := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "clock")
	if err := shiftClock(filepath.Join(root, "internal", "clock"), clock); err != nil {
		return err
	}
	replace := map[string]string{}
	for _, name := range []string{"clock.go", "chaos.go"} {
		replace[filepath.Join(root, "internal", "clock", name)] = filepath.Join(clock, name)
	}
	names, err := json.Marshal(map[string]any{"Replace": replace})
	if err = errors.Join(err, os.WriteFile(overlay, names, 0o600)); err != nil {
		return err
	}
	module, err := shiftQueue(ctx, root, folder)
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-modfile", module, "-overlay", overlay, "-o", binary, "./cmd/purr")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// shiftQueue copies the library of the queue, and returns a copy of our go.mod that uses it.
func shiftQueue(ctx context.Context, root, folder string) (module string, err error) {
	found, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", queueModule).Output()
	if err != nil {
		return "", err
	}
	if err := shiftClock(string(bytes.TrimSpace(found)), filepath.Join(folder, "asynq")); err != nil {
		return "", err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if name == "go.mod" {
			text = fmt.Appendf(text, "\nreplace %s => %s\n", queueModule, filepath.Join(folder, "asynq"))
		}
		if err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), text, 0o600)); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, "go.mod"), nil
}

// shiftClock copies a folder of packages. In the copy, whatever asked the system for the time gets it shifted.
func shiftClock(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(source, []byte("time.Now()")) && !realDeadlines.Match(source) {
			return err
		}
		source = realDeadlines.ReplaceAll(source, []byte("context.WithDeadline($1, $2.Add(-chaosShift))\n"))
		_, name, _ := strings.Cut(string(source), "\npackage ")
		name, _, _ = strings.Cut(name, "\n")
		if strings.HasSuffix(path, "_test.go") {
			return os.Remove(path)
		}
		return errors.Join(
			os.Chmod(path, 0o600), // modules are kept read-only
			os.WriteFile(path, bytes.ReplaceAll(source, []byte("time.Now()"), []byte("chaosNow()")), 0o600),
			os.WriteFile(filepath.Join(filepath.Dir(path), "chaos.go"), fmt.Appendf(nil, shiftedClock, name), 0o600))
	})
}
