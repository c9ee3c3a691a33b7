package e2e_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"purr/test/testkit"
)

// handWritten are the documents that are not made from the code.
var handWritten = []string{
	"README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
	"docs/accounts.md", "docs/audit.md", "docs/avtalegiro.md", "docs/bank-files.md", "docs/delivery.md", "docs/dunning.md", "docs/efaktura.md", "docs/install.md", "docs/letters.md", "docs/mail.md", "docs/operating.md", "docs/packages.md", "docs/SCALE.md", "docs/performance.md", "docs/privacy.md", "docs/upgrade.md",
}

// withOthersServers are those of them whose examples lead to the servers of a provider, or show the settings of other
// programs. Nobody runs them here (test/packages runs docs/install.md); their commands and flags must be there.
var withOthersServers = []string{"docs/delivery.md", "docs/efaktura.md", "docs/install.md", "docs/letters.md", "docs/mail.md"}

// TestReadmeWorksAsItStands has a shell run every command block of README.md, in order and in one session, and
// fails when a command does. Only what must differ does: the port, the keys, the servers, the folder that the
// program would own. A curl that is refused counts as failed; make says what it would do; and a server goes on
// in the background, until another takes its place.
func TestReadmeWorksAsItStands(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	said := s.runBlocks(t, "README.md")
	s.serversRun(t)

	// What the text claims between the blocks.
	pdf, err := os.ReadFile(filepath.Join(s.folder, "invoice.pdf"))
	must(t, err)
	if !strings.HasPrefix(string(pdf), "%PDF-") {
		t.Errorf("invoice.pdf is %.20q", pdf)
	}
	eventually(t, "the mail", func() (bool, any) {
		mails, err := filepath.Glob(filepath.Join(s.folder, "purr-data", "outbox", "email", "*.eml"))
		return len(mails) == 1, fmt.Sprint(mails, err)
	})
	for _, want := range []string{
		`"ocr_kid_number":"`, "<ocr_kid_number>", `<unmatched_payment uri=`, "<type>invoice.created</type>", `status="debt_collection_notice_sent"`, "<overdue_notice uri=",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("none of the commands said %s; they said\n%s", want, said)
		}
	}
}

// TestReadmePagesWorkAsTheyStand does the same for the hand-written pages of docs/, each in a session of its own.
func TestReadmePagesWorkAsTheyStand(t *testing.T) {
	t.Parallel()
	ran := 0
	for _, name := range handWritten {
		if !strings.HasPrefix(name, "docs/") || slices.Contains(withOthersServers, name) || len(blocksOf(t, name)) == 0 {
			continue
		}
		ran++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t)
			s.runBlocks(t, name)
			s.serversRun(t)
		})
	}
	if ran == 0 {
		t.Error("no page has a command block")
	}
}

// commandNamed is a command of the program in a text, such as "purr ocr gaps", with its flags and arguments; commandShown one
// in a block, perhaps of several lines and with a comment behind it.
var (
	commandNamed = regexp.MustCompile("`purr ([^`]+)`")
	commandShown = regexp.MustCompile(`(?m)^ {4,}(?:PURR_\S+=\S+ )*purr (\S(?:.*\\\n)*.*?)(?: +#.*)?$`)
)

// TestReadmeNamesCommandsThatThereAre asks each command of the program that a document names in its text what it
// does, with the flags that it is named with.
func TestReadmeNamesCommandsThatThereAre(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, name := range append(slices.Clone(handWritten), "docs/interface.md") {
		named := commandNamed.FindAllStringSubmatch(readDocument(t, name), -1)
		if slices.Contains(withOthersServers, name) {
			named = append(named, commandShown.FindAllStringSubmatch(readDocument(t, name), -1)...)
		}
		for _, m := range named {
			if asked[m[1]] {
				continue
			}
			asked[m[1]] = true
			arguments := strings.Fields(strings.ReplaceAll(m[1], "\\\n", " "))
			command := commandOf(arguments)
			usage := regexp.MustCompile(`Usage:\n  ` + command + `\s`)
			if r := run(t, nil, append(arguments, "--help")...); r.code != 0 || !usage.MatchString(r.stdout) {
				t.Errorf("%s names %s; asked for help with %s, the program says\n%s%s", name, m[0], command, r.stdout, r.stderr)
			}
		}
	}
}

// commandOf returns the command at the beginning of arguments: its words until a flag, a file or a placeholder.
func commandOf(arguments []string) string {
	command := "purr"
	for _, argument := range arguments {
		if !regexp.MustCompile(`^[a-z][a-z-]*$`).MatchString(argument) {
			break
		}
		command += " " + argument
	}
	return command
}

// linked is a link to a file of the project, without a heading in it.
var linked = regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)\s]*)?\)`)

// TestReadmeLinksToFilesThatThereAre follows the links of every document, those made from the code too.
func TestReadmeLinksToFilesThatThereAre(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	must(t, err)
	documents := slices.Clone(handWritten)
	for _, page := range pages {
		documents = append(documents, "docs/"+filepath.Base(page))
	}
	slices.Sort(documents)
	for _, name := range slices.Compact(documents) {
		for _, m := range linked.FindAllStringSubmatch(readDocument(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
	}
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	must(t, err)
	return string(text)
}

// block is an indented block of a document.
type block struct {
	line int // its first
	text string
}

// blocksOf returns the indented blocks of commands in a document, without the indent. A block that begins with < is a
// file. Markdown's other way to write code would be missed, so that there must be none.
func blocksOf(t *testing.T, name string) []block {
	t.Helper()
	text := readDocument(t, name)
	if strings.Contains(text, "```") {
		t.Fatalf("%s has fenced blocks, which nobody runs: indent them", name)
	}
	var blocks []block
	inside := false
	for i, line := range strings.Split(text, "\n") {
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && !inside:
			blocks = append(blocks, block{line: i + 1, text: code + "\n"})
		case indented:
			blocks[len(blocks)-1].text += code + "\n"
		}
		inside = indented
	}
	return slices.DeleteFunc(blocks, func(b block) bool { return strings.HasPrefix(b.text, "<") })
}

// session is a folder in which a shell runs what a document says, as if it were the project's.
type session struct {
	folder     string
	port       string // in place of the default
	substitute func(text string) string
}

// serverWrapper is what the session has for purr: a server goes on in the background, in place of the one
// before, and is ready when this returns.
const serverWrapper = `#!/bin/sh
cd %[1]q || exit 1
case "$1" in
serve | api)
	[ ! -f servers ] || while read -r name pid; do
		kill "$pid"
		until [ -f "$name.stopped" ]; do sleep 0.05; done
	done <servers
	rm -f servers ./*.stopped ;;
worker | scheduler) unset PURR_LISTEN ;; # it is that of the API
*) exec %[2]q "$@" ;;
esac
{
	sh -c 'echo "$1 $$" >>servers; exec "$0" "$@"' %[2]q "$@" >"$1.stdout" 2>"$1.stderr"
	echo $? >"$1.stopped"
} </dev/null >/dev/null 2>&1 &
until [ -f servers ] && grep -q "^$1 " servers; do sleep 0.05; done
case "$1" in worker | scheduler) exit 0 ;; esac
until grep -q 'listening on' "$1.stdout"; do
	[ ! -f "$1.stopped" ] || { cat "$1.stderr"; exit 1; }
	sleep 0.05
done
`

func newSession(t *testing.T) *session {
	t.Helper()
	path, err := binary()
	must(t, err)
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Fatal(`there is no curl: test/scripts/install-test-servers, which "make test" runs, installs it`)
	}
	maker, err := exec.LookPath("make")
	must(t, err)
	s := &session{folder: t.TempDir(), port: freePort(t)}
	bin := filepath.Join(s.folder, "bin")
	must(t, os.Mkdir(bin, 0o700))
	for name, text := range map[string]string{
		"purr": fmt.Sprintf(serverWrapper, s.folder, path),
		"curl": fmt.Sprintf("#!/bin/sh\nexec %q --silent --show-error --fail-with-body --max-time %.0f \"$@\"\n", curl, testkit.Patience.Seconds()),
		"make": fmt.Sprintf("#!/bin/sh\nexec %q --dry-run -C %q \"$@\"\n", maker, root),
	} {
		must(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700))
	}
	must(t, os.Symlink(filepath.Join(root, "ocr"), filepath.Join(s.folder, "ocr")))
	s.substitute = strings.NewReplacer(
		":8080", ":"+s.port,
		"KEY=purr_...", `KEY=$(cat "$(sed -n 's/^ *\(\/.*\/first-key\)$/\1/p' serve.stderr)")`,
		"/var/lib/purr", filepath.Join(s.folder, "var-lib-purr"),
		"mysql://purr:secret@db:3306/purr", testkit.MySQL(t),
		"redis://:secret@redis:6379/0", testkit.Redis(t),
	).Replace
	return s
}

// freePort returns a port that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, l.Close())
	_, port, err := net.SplitHostPort(l.Addr().String())
	must(t, err)
	return port
}

// runBlocks runs the blocks of a document, and returns what was said.
func (s *session) runBlocks(t *testing.T, name string) string {
	t.Helper()
	var text strings.Builder
	for _, b := range blocksOf(t, name) {
		fmt.Fprintf(&text, "echo '--- %s, line %d'\n%s", name, b.line, s.substitute(b.text))
	}
	return s.run(t, text.String())
}

// run has a shell run a text until a command fails, which fails the test, and returns what was said. All that it
// started ends with the test.
func (s *session) run(t *testing.T, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	script := filepath.Join(s.folder, "session.sh")
	must(t, os.WriteFile(script, []byte(text), 0o600))
	shell := exec.CommandContext(ctx, "sh", "-eu", script)
	shell.Dir = s.folder
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PURR_") && !strings.HasPrefix(v, "PATH=") {
			shell.Env = append(shell.Env, v)
		}
	}
	shell.Env = append(shell.Env, "PURR_MIN_FREE_DISK=0", "PURR_LISTEN=127.0.0.1:"+s.port, "PATH="+filepath.Join(s.folder, "bin")+":"+os.Getenv("PATH"))
	said := &testkit.Log{}
	shell.Stdout, shell.Stderr = said, said
	must(t, shell.Start())
	t.Cleanup(func() { _ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }) // an error means that all are gone
	if err := shell.Wait(); err != nil {
		t.Fatalf("%v, after\n%s", err, said)
	}
	return said.String()
}

// serversRun fails the test unless the servers that were started last still run.
func (s *session) serversRun(t *testing.T) {
	t.Helper()
	stopped, err := filepath.Glob(filepath.Join(s.folder, "*.stopped"))
	must(t, err)
	for _, path := range stopped {
		said, err := os.ReadFile(strings.TrimSuffix(path, ".stopped") + ".stderr")
		must(t, err)
		t.Errorf("%s: %s", filepath.Base(path), said)
	}
}
