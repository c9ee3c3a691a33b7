package avtalegiro

import (
	"errors"
	"testing"

	"purr/models"
)

// FuzzReceipt: whatever lies in the bank's folder is read or refused with its faults.
func FuzzReceipt(f *testing.F) {
	f.Add("KV.GODKJENT.F0000001.D260102.T140000.K12345678.html", []byte("x"))
	f.Add("L00202.csv", []byte("Forsendelse;Oppdrag;KID;Forfallsdato;Beløp;Status;Melding\n1;1;0018;2026-03-02;1,00;AVVIST;x\n"))
	f.Add("L00202.csv", []byte("\"KID"))
	columns, err := ParseColumns("transmission=Forsendelse,assignment=Oppdrag,kid=KID,due_date=Forfallsdato,amount=Beløp,status=Status,reason=Melding")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		r, err := readReceipt(name, content, columns)
		if faults, are := errors.AsType[models.FileFaults](err); err != nil && (!are || len(faults) == 0) {
			t.Errorf("%q is refused with %v", name, err)
		}
		for _, one := range r.rows {
			if one.kid == "" || one.due == 0 || one.line < 2 {
				t.Errorf("a row is %+v", one)
			}
		}
	})
}
