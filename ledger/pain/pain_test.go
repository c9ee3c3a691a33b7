package pain

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/models"
)

// sequences are the elements of pain.001.001.09 by the one that they are in, in the order of its schema: those that we write, and those
// between which they stand. A + is required.
var sequences = map[string][]string{
	"Document":         {"+CstmrCdtTrfInitn"},
	"CstmrCdtTrfInitn": {"+GrpHdr", "+PmtInf", "SplmtryData"},
	"GrpHdr":           {"+MsgId", "+CreDtTm", "Authstn", "+NbOfTxs", "CtrlSum", "+InitgPty", "FwdgAgt"},
	"InitgPty":         {"Nm", "PstlAdr", "Id", "CtryOfRes", "CtctDtls"},
	"PmtInf":           {"+PmtInfId", "+PmtMtd", "BtchBookg", "NbOfTxs", "CtrlSum", "PmtTpInf", "+ReqdExctnDt", "PoolgAdjstmntDt", "+Dbtr", "+DbtrAcct", "+DbtrAgt", "DbtrAgtAcct", "InstrForDbtrAgt", "UltmtDbtr", "ChrgBr", "ChrgsAcct", "ChrgsAcctAgt", "+CdtTrfTxInf"},
	"ReqdExctnDt":      {"Dt", "DtTm"},
	"Dbtr":             {"Nm", "PstlAdr", "Id", "CtryOfRes", "CtctDtls"},
	"Cdtr":             {"Nm", "PstlAdr", "Id", "CtryOfRes", "CtctDtls"},
	"DbtrAcct":         {"+Id", "Tp", "Ccy", "Nm", "Prxy"},
	"CdtrAcct":         {"+Id", "Tp", "Ccy", "Nm", "Prxy"},
	"DbtrAgt":          {"+FinInstnId", "BrnchId"},
	"FinInstnId":       {"BICFI", "ClrSysMmbId", "LEI", "Nm", "PstlAdr", "Othr"},
	"CdtTrfTxInf":      {"+PmtId", "PmtTpInf", "+Amt", "XchgRateInf", "ChrgBr", "MndtRltdInf", "ChqInstr", "UltmtDbtr", "CdtrAgt", "CdtrAgtAcct", "Cdtr", "CdtrAcct", "UltmtCdtr", "InstrForCdtrAgt", "InstrForDbtrAgt", "Purp", "RgltryRptg", "Tax", "RltdRmtInf", "RmtInf", "SplmtryData"},
	"PmtId":            {"InstrId", "+EndToEndId", "UETR"},
	"Amt":              {"InstdAmt", "EqvtAmt"},
	"RmtInf":           {"Ustrd", "Strd"},
	"Othr":             {"+Id", "SchmeNm", "Issr"},
	"SchmeNm":          {"Cd", "Prtry"},
	"OrgId":            {"AnyBIC", "LEI", "Othr"},
	"Id":               {"IBAN", "OrgId", "PrvtId", "Othr"},
}

// longest are the most signs of texts.
var longest = map[string]int{"MsgId": 35, "PmtInfId": 35, "InstrId": 35, "EndToEndId": 35, "Nm": 140, "Ustrd": 140, "BICFI": 11}

func sample() File {
	return File{
		ID: "PURR-1-7", Made: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), On: models.DateOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)),
		Payer: Payer{Name: "Fjord & Rør <AS>", OrganisationNumber: "987654325", Account: "86011117947", BIC: "DNBANOKK"},
		Payments: []Payment{
			{"PURR-1-R1", 400_05, "Kari \"Æ\" Nordmann\n  jr.", "15032080011", "Fjord & Rør <AS>"},
			{"PURR-1-R2", 1, strings.Repeat("Ø", 200), "12345678903", ""},
		},
	}
}

// TestN12TheFileIsOfTheSchema holds files against the order, the required elements and the lengths of pain.001.001.09.
func TestN12TheFileIsOfTheSchema(t *testing.T) {
	t.Parallel()
	bare := sample()
	bare.Payer.OrganisationNumber, bare.Payer.BIC = "", ""
	for _, f := range []File{sample(), bare} {
		written, err := Write(f)
		if err != nil {
			t.Fatal(err)
		}
		mustBeOfSchema(t, written)
		for _, part := range []string{
			`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">`, "<NbOfTxs>2</NbOfTxs>", "<CtrlSum>400.06</CtrlSum>", `<InstdAmt Ccy="NOK">0.01</InstdAmt>`,
			"<Nm>Fjord &amp; Rør &lt;AS&gt;</Nm>", "Nordmann jr.</Nm>", "<Nm>" + strings.Repeat("Ø", maxName) + "</Nm>",
		} {
			if !strings.Contains(string(written), part) {
				t.Errorf("the file lacks %s:\n%s", part, written)
			}
		}
		if again, err := Write(f); err != nil || !bytes.Equal(again, written) {
			t.Error("the same payments have other bytes")
		}
	}
}

func mustBeOfSchema(t *testing.T, file []byte) {
	t.Helper()
	var path []string
	children := map[string][]string{} // by the path of an element that is open
	d := xml.NewDecoder(bytes.NewReader(file))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			above := strings.Join(path, "/")
			children[above] = append(children[above], e.Name.Local)
			path = append(path, e.Name.Local)
		case xml.CharData:
			if len(path) == 0 {
				continue
			}
			if most := longest[path[len(path)-1]]; most > 0 && len([]rune(string(e))) > most {
				t.Errorf("%s is too long: %s", strings.Join(path, "/"), e)
			}
		case xml.EndElement:
			at := strings.Join(path, "/")
			mustBeInOrder(t, at, e.Name.Local, children[at])
			delete(children, at)
			path = path[:len(path)-1]
		}
	}
}

func mustBeInOrder(t *testing.T, at, name string, has []string) {
	t.Helper()
	if len(has) == 0 {
		return
	}
	last := -1
	order := sequences[name]
	for _, child := range has {
		place := slices.IndexFunc(order, func(s string) bool { return strings.TrimPrefix(s, "+") == child })
		if place < last || place < 0 {
			t.Errorf("%s: %s does not stand in the schema's order %v", at, child, order)
		}
		last = place
	}
	for _, s := range order {
		if needed, is := strings.CutPrefix(s, "+"); is && !slices.Contains(has, needed) {
			t.Errorf("%s lacks %s", at, needed)
		}
	}
}
