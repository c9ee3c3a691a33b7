package ocr

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/rows"
)

func TestE4ARejectedFileChangesNothingAndIsKept(t *testing.T) {
	tests := []struct {
		name   string
		damage func(file string) string
		want   string // the fault, as "line code"
	}{
		{"an empty file", func(string) string { return "" }, "1 empty_file"},
		{"no payment file at all", func(string) string { return "Dear customer" }, "1 bad_length"},
		{"another message", func(string) string { return "<Document/>" }, "1 unknown_message"},
		{"an amount was edited", func(f string) string { return strings.Replace(f, "000010000 ", "000010001 ", 1) }, "5 sum_mismatch"},
		{"a payment was cut out", func(f string) string { return f[:2*81] + f[4*81:] }, "3 count_mismatch"},
		{"the end is missing", func(f string) string { return f[:len(f)-81] }, "5 missing_end"},
		{"a byte is missing", func(f string) string { return f[:100] + f[101:] }, "2 bad_length"},
		{"it was saved as UTF-16", func(f string) string { return "\xff\xfe" + strings.Join(strings.Split(f, ""), "\x00") + "\x00" }, "1 bad_length"},
		{"its numbers are no text", func(f string) string { return f[:8] + "\xff\xfe\x00\xc3\x28\x80\x81\x82" + f[16:] }, "1 bad_number"},
	}
	eachBooks(t, func(t *testing.T, b *books) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c := rows.Creditor(t, b.DB)
				invoice := rows.Invoice(t, b.DB, c)
				good := fileOf(c.BankAccount, paid(invoice.KID, 100_00))
				damaged := tt.damage(string(good.Bytes(t)))

				f := b.takeFor(t, c.ID, []byte(damaged))
				if f.State != models.FileRejected || len(f.Faults) == 0 || f.FinishedAt == nil {
					t.Fatalf("it is %s: %v", f.State, f.Faults)
				}
				if got := fmt.Sprint(f.Faults[0].Line, " ", f.Faults[0].Code); got != tt.want || f.Faults[0].Text == "" {
					t.Errorf("the first fault is %q, want %q: %+v", got, tt.want, f.Faults)
				}
				kept, err := b.DB.PaymentFile(t.Context(), f.ID)
				must(t, err)
				if len(kept.Faults) != len(f.Faults) || kept.Faults[0] != f.Faults[0] {
					t.Errorf("kept are the faults %+v of %+v", kept.Faults, f.Faults)
				}
				if raw, err := b.Archive.Read(f.SHA256); err != nil || string(raw) != damaged {
					t.Errorf("the archive has other bytes: %v", err)
				}
				if parts, err := b.DB.FileParts(t.Context(), f.ID); err != nil || len(parts) != 0 {
					t.Errorf("somebody has a part in it: %+v, %v", parts, err)
				}
				if owed := b.Balance(t, invoice); owed != 1000_00 || len(b.Queue(t, c)) != 0 {
					t.Errorf("%s is owed, the queue holds %s", owed, queued(b.Queue(t, c)))
				}
				if got := b.Events(t, c, models.EventFileRejected); len(got) != 1 {
					t.Errorf("the events are %q", got)
				}
				// It has not used up its transmission number, nor anything else.
				if again := b.takeFor(t, c.ID, []byte(damaged)); again.State != models.FileRejected {
					t.Errorf("come again it is %s", again.State)
				}
				if right := b.takeFor(t, c.ID, good.Bytes(t)); right.State != models.FileImported {
					t.Errorf("the right file is %s", right.State)
				}
				b.Prove(t, c)
			})
		}
	})
}

func TestE4FaultsAndWarningsAreKeptUpToWhatFits(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		odd := oddFile(t, c.BankAccount, 150)
		f := b.take(t, odd)
		if f.State != models.FileImported || len(f.Warnings) != mostWarnings+1 {
			t.Fatalf("it is %s with %d warnings and %d faults", f.State, len(f.Warnings), len(f.Faults))
		}
		kept, err := b.DB.PaymentFile(t.Context(), f.ID)
		must(t, err)
		if last := kept.Warnings[mostWarnings]; len(kept.Warnings) != mostWarnings+1 || !strings.HasPrefix(last.Text, "and ") {
			t.Errorf("kept are %d warnings, the last is %q", len(kept.Warnings), last.Text)
		}
		for i := 1; i < mostWarnings; i++ {
			if kept.Warnings[i].Line < kept.Warnings[i-1].Line {
				t.Fatalf("warning %d is of line %d, after one of line %d", i, kept.Warnings[i].Line, kept.Warnings[i-1].Line)
			}
		}

		wrong := bytes.ReplaceAll(odd, []byte("600200001"), []byte("\xe6\xf8\xe5\x01\"\\<&\x7f")) // in every record 31
		f = b.take(t, wrong)
		kept, err = b.DB.PaymentFile(t.Context(), f.ID)
		must(t, err)
		if f.State != models.FileRejected || len(kept.Faults) != giro.MaxFaults || len(kept.Warnings) == 0 || kept.Format != giro.Format {
			t.Errorf("it is %s with %d faults and %d warnings, of the format %q", f.State, len(kept.Faults), len(kept.Warnings), kept.Format)
		}
	})
}

// oddFile is a file of which nearly everything is to be warned.
func oddFile(t *testing.T, account string, assignments int) []byte {
	t.Helper()
	var f bankFile
	for range assignments {
		f.Assignments = append(f.Assignments, assignment{Account: account, Payments: lines(paid("1", 1_00), paid("2", 1_00))})
	}
	records := strings.SplitAfter(string(f.Bytes(t)), "\n")
	for i, r := range records {
		if len(r) < 81 {
			continue
		}
		switch r[4:8] {
		case "1330": // the KID to the left, the filler no zeros
			records[i] = r[:8] + "0000009" + r[15:49] + strings.TrimLeft(r[49:74], " ") + strings.Repeat(" ", 24) + "00\x01\x02\x03\x04\n"
		case "1331":
			records[i] = r[:8] + "0000009" + r[15:58] + strings.Repeat("\x01", 22) + "\n"
		case "0020":
			records[i] = r[:24] + "12345678900" + strings.Repeat("\xff", 45) + "\n"
		case "0088": // from the first to the last date
			records[i] = r[:47] + "010126" + "020126" + strings.Repeat("\x01", 21) + "\n"
		}
	}
	return []byte(strings.Join(records, ""))
}
