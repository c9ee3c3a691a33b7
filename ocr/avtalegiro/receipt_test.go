package avtalegiro_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
)

// TestG3aReceiptsThatDoNotFit are refused whole, with the place of each fault, and change nothing: the claim is answered afterwards as if
// they had not come.
func TestG3aReceiptsThatDoNotFit(t *testing.T) {
	t.Parallel()
	const titles = "Forsendelse;Oppdrag;Konto;KID;Forfallsdato;Beløp;Status;Kode;Melding\n"
	tests := []struct {
		why, name, content string // <kid>, <due> and <other>, another day, are put into the content
		want               string // line and code of each fault
	}{
		{"another's transmission", "KV.GODKJENT.F0000001.D260102.T140000.K87654321.html", "", "1 unknown_transmission"},
		{"a transmission that was never made", "KV.AVVIST.F0000009.D260102.T140000.K12345678.html", "", "1 unknown_transmission"},
		{"an answer of another word", "KV.DELVIS.F0000001.D260102.T140000.K12345678.html", "", "1 unknown_answer"},
		{"a name that says nothing", "kvittering.html", "", "1 unknown_receipt"},
		{"an empty list", "L00202.csv", "", "1 no_titles"},
		{"a list of other columns", "L00202.csv", "A;B\n1;2\n", "1 no_column; 1 no_column; 1 no_column"},
		{"another's claim", "L00202.csv", titles + "0000001;1;;0000000000000018;<due>;1000,00;AVVIST;01;x\n", "2 unknown_claim"},
		{"another sender's list", "L00202.D260102.T140000.K87654321.csv", titles + "0000001;1;;<kid>;<due>;1000,00;AVVIST;01;x\n", "2 unknown_claim"},
		{"another transmission's", "L00202.csv", titles + "0000007;13;;<kid>;<due>;1000,00;AVVIST;01;x\n", "2 unknown_claim"},
		{"another due date", "L00202.csv", titles + "0000001;1;;<kid>;<other>;1000,00;AVVIST;01;x\n", "2 unknown_claim"},
		{"an amount that differs by an øre", "L00202.csv", titles + "0000001;1;;<kid>;<due>;1000,01;AVVIST;01;x\n", "2 other_amount"},
		{"an unknown status", "L00202.csv", titles + "0000001;1;;<kid>;<due>;1000,00;KANSKJE;01;x\n", "2 unknown_status"},
		{
			"faults of several rows", "L00202.csv",
			titles + "x;1;;<kid>;<due>;1000,00;AVVIST;01;x\n0000001;1;;;31.02.2026;tusen;AVVIST;01;x\n", "2 bad_number; 3 no_kid; 3 bad_date; 3 bad_amount",
		},
		{"a row with too few columns", "L00202.csv", titles + "0000001;1;;<kid>\n", "2 bad_row"},
		{"a right row beside a wrong one", "L00202.csv", titles + "0000001;1;;<kid>;<due>;1000,00;AVVIST;01;x\n0000001;1;;<kid>;<due>;1,00;AVVIST;01;x\n", "3 other_amount"},
	}
	eachDesk(t, func(d *desk) {
		t := d.t
		i := d.issue(d.payer(), 14)
		d.at(d.today(), 13, 0)
		d.deliver(d.file())
		before := d.claim(i)
		put := strings.NewReplacer("<kid>", i.KID, "<due>", i.DueDate.Time().Format("02.01.2006"), "<other>", (i.DueDate + 1).String())
		for _, tt := range tests {
			_, err := d.files.Take(t.Context(), tt.name, []byte(put.Replace(tt.content)), usual(t), models.ActorProgram)
			faults, _ := errors.AsType[models.FileFaults](err)
			var got []string
			for _, f := range faults {
				got = append(got, fmt.Sprint(f.Line, " ", f.Code))
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
			}
			if now := d.claim(i); !reflect.DeepEqual(now, before) {
				t.Errorf("%s: the claim was %+v, is %+v", tt.why, before, now)
			}
		}
		right := put.Replace(titles + "0000001;1;;<kid>;<due>;1000,00;AVVIST;01;ingen dekning\n")
		taken, err := d.files.Take(t.Context(), "L00202.csv", []byte(right), usual(t), models.ActorProgram)
		if err != nil || taken.Rejected != 1 {
			t.Fatalf("%+v, %v", taken, err)
		}
		d.wants(i, models.ClaimRejected, "ingen dekning")
	})
}

// TestG3aAnAnswerToWhatWasTakenBack changes nothing: the claim stays cancelled.
func TestG3aAnAnswerToWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		i := d.issue(d.payer(), 21)
		d.at(d.today(), 13, 0)
		first := d.file()
		d.deliver(first)
		testkit.Must(t, d.pay(i, i.Gross))
		d.at(d.today()+1, 13, 0)
		d.deliver(d.file())
		d.wants(i, models.ClaimCancelled, models.ClaimInvoicePaid)
		list := fmt.Sprintf("Forsendelse;Oppdrag;KID;Forfallsdato;Beløp;Status;Melding\n%07d;%d;%s;%s;1000,00;AVVIST;sperret\n", first.Number, 2*first.Number-1, i.KID, i.DueDate)
		if _, err := d.files.Take(t.Context(), "L00202.csv", []byte(list), usual(t), models.ActorProgram); err != nil {
			t.Fatal(err)
		}
		d.wants(i, models.ClaimCancelled, models.ClaimInvoicePaid)
	})
}
