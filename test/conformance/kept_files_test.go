package conformance_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"

	"purr/store/archive"
	"purr/test/testkit"
)

// TestO7KeptFilesAreServedWholeOrNotAtAll breaks a kept PDF, which is drawn again, and the raw bytes of a payment file,
// which nobody can make again.
func TestO7KeptFilesAreServedWholeOrNotAtAll(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		path := func(content []byte) string {
			sum := archive.Sum(content)
			return in.Path("archive", sum[:2], sum)
		}
		invoice := c.invoices(order{})
		pdf := c.pdf(invoice)
		for _, spoil := range []func() error{
			func() error { return os.Remove(path(pdf)) },
			func() error { return os.WriteFile(path(pdf), bytes.ToLower(pdf), 0o600) },
		} {
			testkit.Must(t, spoil())
			equal(t, "the same bytes again", bytes.Equal(c.pdf(invoice), pdf), true)
			kept, err := os.ReadFile(path(pdf))
			testkit.Must(t, err)
			equal(t, "they are put back", bytes.Equal(kept, pdf), true)
		}
		c.Post("/payment_files", "no bank's own", contentType("application/octet-stream"))
		files := c.List("/payment_files")
		uri := files[len(files)-1].URI()
		raw := path([]byte("no bank's own"))
		for word, spoil := range map[string]func() error{
			archive.Damaged: func() error { return os.WriteFile(raw, []byte("no bank's 0wn"), 0o600) },
			archive.Lost:    func() error { return os.Remove(raw) },
		} {
			testkit.Must(t, spoil())
			response, err := c.HTTP.Do(c.Request(http.MethodGet, uri+"/raw", http.NoBody)) // for the client every 500 is a fault
			testkit.Must(t, err)
			answer, err := io.ReadAll(response.Body)
			testkit.Must(t, errors.Join(err, response.Body.Close()))
			if response.StatusCode != http.StatusInternalServerError || !bytes.Contains(answer, []byte(`code="internal"`)) {
				t.Errorf("a %s file is answered %d: %s", word, response.StatusCode, answer)
			}
			if told := in.Log.Lines("a kept file is " + word); len(told) == 0 {
				t.Errorf("the log does not tell of a %s file", word)
			}
			metrics := c.Get("//metrics").Is(http.StatusOK).Body
			for _, line := range []string{`purr_kept_file_faults_total{fault="` + word + `"} `, "purr_kept_files_mended_total "} {
				if !bytes.Contains(metrics, []byte(line)) || bytes.Contains(metrics, []byte(line+"0\n")) {
					t.Errorf("the metrics have no %s above zero", line)
				}
			}
		}
	})
}
