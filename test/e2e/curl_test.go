package e2e_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shell has sh run a text as a person would paste it, with the programs of a folder before all others.
func shell(t *testing.T, folder, text string) {
	t.Helper()
	c := exec.Command("sh")
	c.Stdin = strings.NewReader(text + "\n")
	c.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("the shell says %s (%v) to\n%s", out, err, text)
	}
}

// curlRequest returns the request that curl makes of the arguments and the input that were kept in a folder.
func curlRequest(t *testing.T, folder string) *http.Request {
	t.Helper()
	arguments, err := os.ReadFile(filepath.Join(folder, "arguments"))
	must(t, err)
	input, err := os.ReadFile(filepath.Join(folder, "input"))
	must(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
	must(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded") // what curl says of data
	// An argument with line ends in it is several lines here, so data comes last.
	words := strings.Split(strings.TrimSuffix(string(arguments), "\n"), "\n")
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "-H", "--header":
			i++
			name, value, _ := strings.Cut(words[i], ": ")
			r.Header.Set(name, value)
		case "-d", "--data", "--data-binary":
			data := strings.Join(words[i+1:], "\n")
			if data == "@-" {
				data = string(input)
			}
			r.Body = io.NopCloser(strings.NewReader(data))
			return r
		default:
			r.URL, err = r.URL.Parse(word)
			must(t, err)
		}
	}
	t.Fatalf("curl sends no data: %s", arguments)
	return nil
}

func send(t *testing.T, r *http.Request) *answer {
	t.Helper()
	c := newClient(t, nil, "")
	got, err := c.HTTP.Do(r)
	must(t, err)
	a, err := c.Read(r, got)
	must(t, err)
	return a
}
