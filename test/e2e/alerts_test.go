package e2e_test

import (
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
)

// TestQ6AlertsAskForWhatIsThere: each metric that an alert rule asks for, or that its tests make up, is told by the program, with each
// label that they pick by. What a backup and a certificate are worth is told as it is.
func TestQ6AlertsAskForWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chain, key := filepath.Join(dir, "chain.pem"), filepath.Join(dir, "key.pem")
	shown := testkit.NewCertificate(t)
	shown.Write(t, chain, key)
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0"}
	ok(t, where[:1], "creditor", "create", "--name", "A")
	ok(t, where[:1], "keys", "create", "--creditor", "A")
	address := begin(t, append(where, "PURR_MIN_FREE_DISK=1GiB", "PURR_SFTP_URL=sftp://purr@127.0.0.1:1/out", "PURR_SFTP_PASSWORD=none",
		"PURR_SFTP_HOST_KEY=SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"), "serve", "--tls-certificate", chain, "--tls-key", key).listening()
	trusting := &http.Client{Timeout: testkit.Patience, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: shown.Roots}}}
	t.Cleanup(trusting.CloseIdleConnections)
	get := func(path string) string {
		t.Helper()
		r, err := trusting.Get(address + path)
		must(t, err)
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		must(t, err)
		return "\n" + string(body)
	}
	get("/api/v1/invoices") // a request whose duration is told

	wanted := map[string][]string{} // the labels of each metric
	for _, name := range []string{"purr-alerts.yaml", "purr-alerts_test.yaml"} {
		rules, err := os.ReadFile(filepath.Join("..", "..", "deploy", "prometheus", name))
		must(t, err)
		for _, m := range regexp.MustCompile(`\b(purr_[a-z_]+)(?:\{([^}]*)\})?`).FindAllStringSubmatch(string(rules), -1) {
			for _, label := range regexp.MustCompile(`(\w+)[!=]~?=?"`).FindAllStringSubmatch(m[2], -1) {
				if label[1] != "instance" { // the scraper's own
					wanted[m[1]] = append(wanted[m[1]], label[1])
				}
			}
			wanted[m[1]] = append(wanted[m[1]], "")
		}
	}
	if len(wanted) < 15 {
		t.Fatalf("the rules ask for %v", wanted)
	}
	eventually(t, "all metrics, those of the day's runs too", func() (bool, any) {
		page, lacks := get("/metrics"), []string(nil)
		for name, labels := range wanted {
			lines := regexp.MustCompile(`\n`+name+`(?:\{([^\n]*)\})? `).FindAllStringSubmatch(page, -1)
			for _, label := range labels {
				if !slices.ContainsFunc(lines, func(m []string) bool { return label == "" || strings.Contains(m[1], label+`="`) }) {
					lacks = append(lacks, name+"{"+label+"}")
				}
			}
		}
		return len(lacks) == 0, lacks
	})

	says := func(lines ...string) {
		t.Helper()
		page := get("/metrics")
		for _, line := range lines {
			if !regexp.MustCompile(`\n` + line + `\n`).MatchString(page) {
				t.Errorf("the metrics have no line %s", line)
			}
		}
	}
	says("purr_backup_timestamp_seconds 0", "purr_certificate_ends_timestamp_seconds 3.2503593.*e\\+10", "purr_disk_least_free_bytes 1.073741824e\\+09",
		"purr_disk_free_bytes [1-9].*", `purr_ways_paused\{method="EMAIL"\} 0`)
	ok(t, where[:1], "backup", t.TempDir()+"/backup")
	says("purr_backup_timestamp_seconds 1\\..*e\\+09")
}
