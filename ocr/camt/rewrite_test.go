package camt

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/models"
)

// sameEditor changes nothing.
type sameEditor struct{}

func (sameEditor) Account(digits string) string                      { return digits }
func (sameEditor) KID(kid string) string                             { return kid }
func (sameEditor) Reference(reference string) string                 { return reference }
func (sameEditor) Text(text string) string                           { return text }
func (sameEditor) Amount(amount models.Amount, _ bool) models.Amount { return amount }

// notingEditor notes what it is asked for, and doubles all amounts but those that are deducted.
type notingEditor struct {
	accounts, kids, references, texts []string
}

func (e *notingEditor) Account(digits string) string {
	e.accounts = append(e.accounts, digits)
	return otherAccount
}

func (e *notingEditor) KID(kid string) string {
	e.kids = append(e.kids, kid)
	return kid
}

func (e *notingEditor) Reference(reference string) string {
	e.references = append(e.references, reference)
	return reference
}

func (e *notingEditor) Text(text string) string {
	e.texts = append(e.texts, text)
	return strings.ToUpper(text)
}

func (e *notingEditor) Amount(amount models.Amount, down bool) models.Amount {
	if down {
		return amount / 2
	}
	return 2 * amount
}

func rewritten(t *testing.T, file string, e Editor) string {
	t.Helper()
	var out bytes.Buffer
	if err := Rewrite(&out, strings.NewReader(file), e); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRewriteOfNothing has an editor change nothing: the files that are right come out byte for byte.
func TestRewriteOfNothing(t *testing.T) {
	paths, err := filepath.Glob("testdata/vectors/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, "testdata/camt054-v02.xml", "testdata/camt054-v08.xml") {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(faultsOf(t, string(file))) > 0 {
			continue
		}
		if got := rewritten(t, string(file), sameEditor{}); got != string(file) {
			t.Errorf("%s becomes %s", path, got)
		}
	}
}

// TestRewriteAsksByWhatAnElementIs rewrites a file that has all kinds of texts, and reads what the editor was asked for.
func TestRewriteAsksByWhatAnElementIs(t *testing.T) {
	var e notingEditor
	out := rewritten(t, edited(latin1(edited(plain02, "UTF-8", "ISO-8859-1")),
		"Faktura 100318", "  Faktura &amp;\n 100318 ", "<Id>NTF-1</Id>", "<!-- for Kari --><Id>NTF-1</Id><?secret Kari?>",
		"<BkTxCd/>\n<NtryDtls>", "<BkTxCd/><AcctSvcrRef2 who=\"Kari\">x</AcctSvcrRef2><BirthDt>1980-05-17</BirthDt>\n<NtryDtls>"), &e)
	for _, tt := range []struct {
		what string
		got  []string
		want string
	}{
		{"accounts", e.accounts, "12345678903"},
		{"KIDs", e.kids, testKID},
		{"references", e.references, "MSG-1|NTF-1|LUMP-0001|600100001"},
		{"texts", e.texts, " for Kari |x|Ærlig Kunde AS|Faktura &\n 100318|Tilbakeføring"},
	} {
		if got := strings.Join(tt.got, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
	for _, want := range []string{
		"<Id>86011117947</Id>", "<!-- FOR KARI -->", "<AcctSvcrRef2>X</AcctSvcrRef2>", "<Ustrd>  FAKTURA &amp;\n 100318 </Ustrd>",
		latin1("<Nm>ÆRLIG KUNDE AS</Nm>"), `<Amt Ccy="NOK">3499.00</Amt>`, `<Amt Ccy="NOK">2500.00</Amt>`, `<Amt Ccy="NOK">140</Amt>`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in %s", want, out)
		}
	}
	if strings.Contains(out, "1980") || strings.Contains(out, "secret") || strings.Contains(out, "who=") {
		t.Errorf("an instruction or an attribute is left in %s", out)
	}
}

// TestRewriteMakesSumsRight changes amounts: what added up does, what did not does not.
func TestRewriteMakesSumsRight(t *testing.T) {
	net := func(amount, direction string) string {
		return edited(summed("<TtlNtries><NbOfNtries>2</NbOfNtries><Sum>160</Sum><TtlNetNtryAmt>"+amount+"</TtlNetNtryAmt><CdtDbtInd>"+direction+"</CdtDbtInd></TtlNtries>"),
			"</Ntfctn>", `<Ntry><Amt Ccy="NOK">60</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BkTxCd/></Ntry></Ntfctn>`)
	}
	for _, tt := range []struct {
		what, file string
		want       []string
	}{
		{"a lump sum", plain02, []string{">3499.00<", ">2500.00<", ">999.00<", ">140<"}},
		{"an entry alone", single, []string{">200.00<"}},
		{"a batch", edited(plain02, "</NbOfTxs>", `</NbOfTxs><TtlAmt Ccy="NOK">1749.5</TtlAmt>`), []string{`<TtlAmt Ccy="NOK">3499.0</TtlAmt>`}},
		{"invoices", forInvoices(strd(testKID, remitted("60.00")), strd("1230", remitted("40.00"))), []string{">200.00<", ">120.00<", ">80.00<"}},
		{"an invoice and a credit note", forInvoices(strd(testKID, remitted("130")), strd("1230", deducted("30"))), []string{">245.00<", ">260<", ">15<"}},
		{"a summary", net("40", "CRDT"), []string{"<Sum>320</Sum>", "<TtlNetNtryAmt>80</TtlNetNtryAmt><CdtDbtInd>CRDT"}},
		{"an entry that does not add up", edited(plain02, "1749.50", "1750.50"), []string{">3501.00<"}},
	} {
		out := rewritten(t, tt.file, &notingEditor{})
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %s is not in\n%s", tt.what, want, out)
			}
		}
		if faults := faultsOf(t, out); len(faults) > 0 {
			t.Errorf("%s: %v", tt.what, faults)
		}
	}
}

// TestRewriteTurnsANetSum lets credits shrink below debits: the direction of the net sum turns.
func TestRewriteTurnsANetSum(t *testing.T) {
	file := edited(summed("<TtlNtries><TtlNetNtryAmt>40</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries>"),
		"</Ntfctn>", `<Ntry><Amt Ccy="NOK">60</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BkTxCd/></Ntry></Ntfctn>`)
	out := rewritten(t, file, mapEditor{amounts: map[int64]int64{10000: 5000, 6000: 6000, 4000: 1}})
	if !strings.Contains(out, "<TtlNetNtryAmt>10</TtlNetNtryAmt><CdtDbtInd>DBIT") || len(faultsOf(t, out)) > 0 {
		t.Errorf("it is %s", out)
	}
	if err := Rewrite(io.Discard, strings.NewReader(edited(file, "<CdtDbtInd>CRDT</CdtDbtInd></TtlNtries>", "</TtlNtries>")),
		mapEditor{amounts: map[int64]int64{10000: 5000, 6000: 6000, 4000: 1}}); err == nil || !strings.Contains(err.Error(), "would become -10.00") {
		t.Errorf("without a direction the error is %v", err)
	}
}

type mapEditor struct {
	sameEditor
	amounts map[int64]int64
}

func (e mapEditor) Amount(amount models.Amount, _ bool) models.Amount {
	return models.Amount(e.amounts[int64(amount)])
}
