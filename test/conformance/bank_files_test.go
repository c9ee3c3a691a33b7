package conformance_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/test/testkit"
)

// hadFile makes a creditor who has had a file from the bank that reaches today, and has an invoice that is due today.
func (in *installation) hadFile(t *testing.T) (c *client, account string, due node) {
	t.Helper()
	account = in.bankAccount()
	c = in.creditor(t, dunned(), tag("bank_account", account))
	due = c.invoices(order{days: "0"})
	c.bankReports(account, c.invoices(order{days: "0"}).At("ocr_kid_number"))
	return c, account, due
}

// confirms gives a person's word that no file comes for the last bank day.
func (c *client) confirms() {
	c.T.Helper()
	creditor, err := c.in.App.OneCreditor(c.T.Context(), c.creditor)
	must(c.T, err)
	_, err = c.in.App.ConfirmNone(c.T.Context(), creditor, 0)
	must(c.T, err)
}

// metricsSay expects what the metrics begin lines with.
func (c *client) metricsSay(lines ...string) {
	c.T.Helper()
	metrics := string(c.Get("//metrics").Is(http.StatusOK).Body)
	for _, line := range lines {
		if !strings.Contains(metrics, "\n"+line) {
			c.T.Errorf("the metrics have no line %s", line)
		}
	}
}

// TestE6bALateFileHoldsDunningBack: on Friday 22 December the file that reaches Thursday is not there. It comes on
// Saturday, whose run does what was left.
func TestE6bALateFileHoldsDunningBack(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c, account, due := in.hadFile(t)
		in.at(t, "2023-12-22 00:01")
		same(t, "plan", c.plan(""), []string{"left_alone payment_file_late"})
		in.at(t, "2023-12-23 00:01")
		equal(t, "notices while the file is late", len(c.List("/overdue_notices")), 0)
		said := c.told("bank_files.late")
		equal(t, "the last warning", said[len(said)-1], "No file from the bank reaches 2023-12-21, the last bank day; the latest one reaches 2023-12-08")
		c.bankReports(account, c.invoices(order{days: "30"}).At("ocr_kid_number"))
		in.at(t, "2023-12-24 00:01")
		c.List("/overdue_notices")[0].Shows("issue_date 2023-12-23", "related_invoice/@uri "+due.URI())
	})
}

// TestE6bAPersonsWordCountsAsAFile: also on the day itself, whose run is made again.
func TestE6bAPersonsWordCountsAsAFile(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c, _, due := in.hadFile(t)
		in.at(t, "2023-12-22 07:00")
		same(t, "plan", c.plan(""), []string{"left_alone payment_file_late"})
		c.confirms()
		c.confirms()
		same(t, "what was said", c.told("bank_files.none"), []string{"No file comes from the bank for 2023-12-21, by " + c.in.App.Actor})
		in.at(t, "2023-12-23 00:01")
		c.List("/overdue_notices")[0].Shows("issue_date 2023-12-22", "related_invoice/@uri "+due.URI())
	})
}

// TestE6bAPollThatFindsNothingCountsAsAFile: the bank's folder is polled every night. While the bank is away
// nothing is known, and dunning waits, of which the creditor is told after a day. When it is back, with nothing new,
// dunning goes on.
func TestE6bAPollThatFindsNothingCountsAsAFile(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		bank := testkit.SFTPServer(t)
		in = in.own(t, "2026-03-02 00:01", func(_ testing.TB, cfg *app.Settings) {
			cfg.Bank.URL, cfg.Bank.KeyFile, cfg.Bank.HostKey, cfg.Bank.Every = bank.Folder(t.TempDir()), bank.KeyFile, bank.HostKey, 24*time.Hour
		})
		c, _, _ := in.hadFile(t)
		c.invoices(order{days: "3"})
		c.goesOn("2026-03-16 07:00")
		equal(t, "notices of a day on which the bank had nothing", len(c.List("/overdue_notices")), 1)
		bank.Kill()
		c.goesOn("2026-03-19 07:00")
		equal(t, "notices while the bank is away", len(c.List("/overdue_notices")), 1)
		equal(t, "times that its creditor was told", len(c.told("bank_folder.unreachable")), 1)
		c.Get("//readyz").Is(http.StatusOK)
		c.metricsSay("purr_bank_files_late 1", "purr_bank_check_last_success_timestamp_seconds{folder=\"sftp://")
		bank.Start()
		c.goesOn("2026-03-19 09:00")
		equal(t, "notices when it is back", len(c.List("/overdue_notices")), 2)
		c.runOn("2026-03-19").Shows("steps 1")
		c.metricsSay("purr_bank_files_late 0", "purr_bank_check_failures{folder=\"sftp://")
	})
}
