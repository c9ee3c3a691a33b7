package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// script is a conversation with the server, in testdata/NAME.http (testdata/README.md describes the form).
type script struct {
	name      string
	preface   string // what it is about, and what the server is
	exchanges []exchange
	twins     bool // every POST goes to two servers
}

// exchange is one request and its golden answer.
type exchange struct {
	told   string // its title, remarks and stage directions, and the request, as they stand in the file
	answer string // as it stands in the file; empty where none was written yet

	method, path string
	header       [][2]string
	body         string
}

const answerBegins = "HTTP/1.1 "

// requestLine is a method and a path.
var requestLine = regexp.MustCompile(`^([A-Z]+) (/\S*)$`)

// repeated is a text that a script does not write out.
var repeated = regexp.MustCompile(`\{\{(\d+) times ([^}]+)\}\}`)

// pictured is a picture that a script does not write out.
var pictured = regexp.MustCompile(`\{\{a PNG of (\d+) × (\d+) pixels\}\}`)

func readScripts(t *testing.T) []script {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.http"))
	must(t, err)
	var scripts []script
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(t, err)
		s, err := parseScript(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		s.name = strings.TrimSuffix(filepath.Base(path), ".http")
		scripts = append(scripts, s)
	}
	return scripts
}

func parseScript(text string) (script, error) {
	parts := strings.Split("\n"+text, "\n### ")
	s := script{preface: strings.TrimPrefix(parts[0], "\n")}
	for _, part := range parts[1:] {
		x, err := parseExchange("### " + strings.TrimRight(part, "\n"))
		if err != nil {
			title, _, _ := strings.Cut(part, "\n")
			return s, fmt.Errorf("%s: %w", title, err)
		}
		s.exchanges = append(s.exchanges, x)
	}
	return s, nil
}

func parseExchange(text string) (exchange, error) {
	var x exchange
	if told, answer, answered := strings.Cut(text, "\n"+answerBegins); answered {
		text, x.answer = told, answerBegins+answer
	}
	x.told = strings.TrimRight(text, "\n")
	lines := strings.Split(x.told, "\n")
	for len(lines) > 0 && x.method == "" {
		if m := requestLine.FindStringSubmatch(lines[0]); m != nil {
			x.method, x.path = m[1], m[2]
		}
		lines = lines[1:]
	}
	if x.method == "" {
		return x, fmt.Errorf("there is no request line")
	}
	for ; len(lines) > 0 && lines[0] != ""; lines = lines[1:] {
		name, value, found := strings.Cut(lines[0], ": ")
		if !found {
			return x, fmt.Errorf("%q is no header", lines[0])
		}
		x.header = append(x.header, [2]string{name, written(value)})
	}
	x.path, x.body = written(x.path), written(strings.Trim(strings.Join(lines, "\n"), "\n"))
	return x, nil
}

// written returns a text with what is repeated in it written out.
func written(text string) string {
	text = pictured.ReplaceAllStringFunc(text, func(match string) string {
		m := pictured.FindStringSubmatch(match)
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, number(m[1]), number(m[2])))); err != nil {
			panic(err)
		}
		return b.String()
	})
	return repeated.ReplaceAllStringFunc(text, func(match string) string {
		m := repeated.FindStringSubmatch(match)
		return strings.Repeat(m[2], number(m[1]))
	})
}

// stageDirections returns the lines in brackets among those of a text: what a script wants of the server or
// of the time.
func stageDirections(text string) []string {
	var found []string
	for line := range strings.SplitSeq(text, "\n") {
		if requestLine.MatchString(line) {
			break
		}
		if inner, is := strings.CutPrefix(line, "("); is {
			found = append(found, strings.TrimSuffix(inner, ")"))
		}
	}
	return found
}

// String returns the script as it stands in its file.
func (s script) String() string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(s.preface, "\n") + "\n")
	for _, x := range s.exchanges {
		b.WriteString("\n" + x.told + "\n\n" + strings.TrimRight(x.answer, "\n") + "\n")
	}
	return b.String()
}

// shownHeaders are the headers of an answer that a script shows. The others are the same in every answer, or
// in none.
var shownHeaders = []string{
	"Location", "Allow", "Www-Authenticate", "Retry-After", "Content-Type", "Content-Disposition",
}

// secret is one of a webhook, another in every run.
var secret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)

// attached is the content of the PDF inside an EHF.
var attached = regexp.MustCompile(`>JVBERi[A-Za-z0-9+/=]+<`)

// shown returns an answer as a script shows it.
func (r reply) shown(headers ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d %s\n", answerBegins, r.status, http.StatusText(r.status))
	for _, name := range append(shownHeaders, headers...) {
		for _, value := range r.header.Values(name) {
			fmt.Fprintf(&b, "%s: %s\n", strings.Replace(name, "Www", "WWW", 1), value)
		}
	}
	switch contentType := r.header.Get("Content-Type"); {
	case r.body == "":
	case contentType == "application/pdf":
		first, _, _ := strings.Cut(r.body, "\n")
		fmt.Fprintf(&b, "\n%s …\n", first)
	case contentType == "application/xml": // an EHF
		fmt.Fprintf(&b, "\n%s", attached.ReplaceAllString(r.body, ">…<"))
	case contentType == "image/png":
		fmt.Fprintf(&b, "\n%s …\n", r.body[1:4])
	case contentType == "application/zip":
		fmt.Fprintf(&b, "\n%s …\n", r.body[:2])
	case strings.HasPrefix(contentType, "application/xml"):
		fmt.Fprintf(&b, "\n%s", secret.ReplaceAllString(folded(indented(r.body)), "whsec_…"))
	default:
		fmt.Fprintf(&b, "\n%s", secret.ReplaceAllString(r.body, "whsec_…"))
	}
	return strings.TrimRight(b.String(), "\n")
}

// emptyElement is an element without content that stands on two lines.
var emptyElement = regexp.MustCompile(`(<[a-z][^<>]*>)\n(</)`)

// indented returns an XML document with each element on a line of its own. The server writes none of the
// blanks that this adds.
func indented(document string) string {
	document = strings.ReplaceAll(strings.TrimRight(document, "\n"), "><", ">\n<")
	document = emptyElement.ReplaceAllString(document, "$1$2")
	var b strings.Builder
	depth := 0
	for line := range strings.SplitSeq(document, "\n") {
		if strings.HasPrefix(line, "</") {
			depth--
		}
		b.WriteString(strings.Repeat("  ", depth) + line + "\n")
		if strings.HasPrefix(line, "<") && !strings.HasPrefix(line, "<?") && !strings.Contains(line, "</") {
			depth++
		}
	}
	return b.String()
}

// folded returns a text with its long repetitions as a script writes them.
func folded(text string) string {
	const long = 40
	var b strings.Builder
	for len(text) > 0 {
		c, size := utf8.DecodeRuneInString(text)
		rest := strings.TrimLeft(text, string(c))
		if n := (len(text) - len(rest)) / size; n >= long {
			fmt.Fprintf(&b, "{{%d times %c}}", n, c)
		} else {
			b.WriteString(text[:len(text)-len(rest)])
		}
		text = rest
	}
	return b.String()
}

func firstDifference(got, want string) string {
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	title := ""
	for i := range min(len(gotLines), len(wantLines)) {
		if strings.HasPrefix(wantLines[i], "### ") {
			title = wantLines[i]
		}
		if gotLines[i] != wantLines[i] {
			return fmt.Sprintf("%s\nline %d is\n  %s\nwant\n  %s", title, i+1, gotLines[i], wantLines[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(gotLines), len(wantLines))
}
