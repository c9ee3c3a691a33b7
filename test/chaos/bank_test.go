//go:build chaos

package chaos_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"purr/models"
	"purr/ocr/giro"
)

// delivery is a file of the bank that is about to be delivered.
type delivery struct {
	name  string
	raw   []byte
	lines []*line
	again bool // one of its lines may come again in another file
}

// bank delivers a file of the bank: by the API or into the inbox, once or twice, with payments of invoices, with strays,
// and with lines that came before (rules E4, R5).
func (l *load) bank(r *rand.Rand) {
	c := l.creditors[r.IntN(len(l.creditors))]
	invoices := l.told.of(c, false)
	if len(invoices) == 0 {
		return
	}
	d, err := l.statement(r, c, invoices)
	if err != nil {
		l.find("make a file of the bank: %v", err)
		return
	}
	switch r.IntN(8) {
	case 0, 1:
		l.upload(c, d)
	case 2:
		l.uploadTwice(c, d, l.newKey(), l.newKey())
	case 3:
		key := l.newKey()
		l.uploadTwice(c, d, key, key)
	case 4:
		l.uploadBroken(c, d)
	case 5:
		l.uploadCarelessly(c, d)
	case 6:
		l.drop(c, d, d.name)
	default:
		l.drop(c, d, d.name, "again-"+d.name)
	}
}

// statement makes up an OCR giro file or a camt.054 file.
func (l *load) statement(r *rand.Rand, c *creditor, invoices []*invoice) (d delivery, err error) {
	number := l.told.next()
	day, err := models.ParseDate(invoices[0].date)
	if err != nil {
		return d, err
	}
	d.name = fmt.Sprintf("file-%d.txt", number)
	for range 1 + r.IntN(8) {
		kid := invoices[r.IntN(len(invoices))].kid
		amount := models.Amount(100_00 + l.told.next())
		if r.IntN(5) == 0 {
			kid = models.NewKID(fmt.Sprint(900_000_000+int64(amount)), models.Modulus10) // nobody's
		}
		d.lines = append(d.lines, &line{creditor: c, amount: amount, kid: kid, file: d.name})
	}
	if r.IntN(2) == 0 {
		d.raw = camt(c.account, day, number, d.lines)
		return d, nil
	}
	lines := d.lines
	if n := len(c.lines()); n > 0 && r.IntN(3) == 0 {
		lines = append(lines, c.lines()[r.IntN(n)])
	}
	d.raw, err = ocr(c.account, day, number, lines)
	d.again = true
	return d, err
}

// ocr writes an OCR giro file.
func ocr(account string, day models.Date, number int64, lines []*line) ([]byte, error) {
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	if err := w.StartTransmission(giro.TransmissionHeader{Number: fmt.Sprint(number), Recipient: "00012345", Created: day}); err != nil {
		return nil, err
	}
	if err := w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: fmt.Sprint(number), Account: account, Created: day}); err != nil {
		return nil, err
	}
	for _, l := range lines {
		err := w.Write(giro.Payment{
			Type: giro.TypeCorporateGiro, NetsDate: day, BankDate: day, Amount: l.amount, KID: l.kid, DebitAccount: "97104133219",
			ArchiveReference: fmt.Sprint(int64(l.amount)),
		})
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return file.Bytes(), err
}

// camt writes a camt.054 file.
func camt(account string, day models.Date, number int64, lines []*line) []byte {
	var entries strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&entries, `<Ntry><NtryRef>%[1]d</NtryRef><Amt Ccy="NOK">%[2]s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>`+
			`<BookgDt><Dt>%[3]s</Dt></BookgDt><ValDt><Dt>%[3]s</Dt></ValDt><AcctSvcrRef>LUMP-%[4]d-%[1]d</AcctSvcrRef>`+
			`<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>VCOM</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls>`+
			`<Refs><AcctSvcrRef>%[5]d</AcctSvcrRef></Refs><Amt Ccy="NOK">%[2]s</Amt><CdtDbtInd>CRDT</CdtDbtInd>`+
			`<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>%[6]s</Ref></CdtrRefInf></Strd></RmtInf>`+
			`</TxDtls></NtryDtls></Ntry>`, i+1, l.amount, day, number, int64(l.amount), l.kid)
	}
	return fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>`+
		`<GrpHdr><MsgId>M-%[1]d</MsgId><CreDtTm>%[2]sT12:00:00+01:00</CreDtTm></GrpHdr><Ntfctn><Id>N-%[1]d</Id><CreDtTm>%[2]sT12:00:00+01:00</CreDtTm>`+
		`<Acct><Id><IBAN>%[3]s</IBAN></Id><Ccy>NOK</Ccy></Acct>%[4]s</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`, number, day, iban(account), entries.String())
}

// iban returns the IBAN of a Norwegian account (ISO 13616).
func iban(account string) string {
	n, err := strconv.ParseInt(account+"232400", 10, 64)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("NO%02d%s", 98-n%97, account)
}

func (d delivery) call(key string) call {
	return call{method: "POST", path: "/payment_files?filename=" + d.name, body: string(d.raw), media: "application/octet-stream", key: key}
}

// upload delivers the file with a key. Whatever fails on the way, the client is told that it was imported (rule O9).
func (l *load) upload(c *creditor, d delivery) {
	l.told.expect(d.lines)
	if a, answered := l.insist(c.key, d.call(l.newKey())); answered {
		l.judgeUpload(c, d, a)
	}
}

func (l *load) judgeUpload(c *creditor, d delivery, a answer) {
	if a.status != 201 {
		l.find("the new file %s was answered %d: %s", d.name, a.status, code(a.body))
		return
	}
	l.came(c, d)
}

// came notes that the file was taken: its lines must be found.
func (l *load) came(c *creditor, d delivery) {
	l.told.came(d.lines)
	if d.again {
		c.remember(d.lines[0])
	}
}

// brokenOff is how long two deliveries at once take at least, if the first import stands still, or is broken off and brought again.
const brokenOff = 4 * time.Second

// uploadTwice delivers the file twice at once. With one key both are told that it was imported, with two keys one of them. If the
// import was broken off, both may go on with it, and are told of the same file (rule D110).
func (l *load) uploadTwice(c *creditor, d delivery, keys ...string) {
	l.told.expect(d.lines)
	answers := make([]answer, len(keys))
	answered := make([]bool, len(keys))
	began := time.Now()
	var both sync.WaitGroup
	for i, key := range keys {
		both.Go(func() { answers[i], answered[i] = l.insist(c.key, d.call(key)) })
	}
	both.Wait()
	if !answered[0] || !answered[1] {
		return
	}
	imported := 0
	for _, a := range answers {
		if a.status == 201 {
			imported++
			l.came(c, d)
		}
	}
	same := answers[0].header.Get("Location") == answers[1].header.Get("Location")
	if imported == 2 && same && time.Since(began) >= brokenOff {
		return
	}
	if want := map[bool]int{true: 2, false: 1}[keys[0] == keys[1]]; imported != want {
		l.find("the file %s was sent twice at once, and %d were told that it was imported, want %d: %d %d", d.name, imported, want, answers[0].status, answers[1].status)
	}
}

// uploadBroken delivers a file that lacks its end. Nothing of it is posted.
func (l *load) uploadBroken(c *creditor, d delivery) {
	d.raw = d.raw[:len(d.raw)-81]
	l.told.refused(d.lines)
	if a, answered := l.insist(c.key, d.call(l.newKey())); answered && a.status != 422 {
		l.find("a file without its end was answered %d: %s", a.status, code(a.body))
	}
}

// uploadCarelessly delivers the file without a key, and does not ask again.
func (l *load) uploadCarelessly(c *creditor, d delivery) {
	l.told.expect(d.lines)
	if a, err := l.send(l.patience, c.key, d.call("")); err == nil && !again(a) {
		l.judgeUpload(c, d, a)
	}
}

// drop puts the file into the inbox under each of the names, as a bank's client does: whole, by renaming.
func (l *load) drop(c *creditor, d delivery, names ...string) {
	l.told.expect(d.lines)
	for _, name := range names {
		for {
			err := l.putFile(name, d.raw)
			if err == nil {
				break
			}
			if !pause(l.patience, 100*time.Millisecond) {
				l.find("the file %s could not be put into the inbox: %v", name, err)
				return
			}
		}
	}
	l.came(c, d)
}

func (l *load) putFile(name string, raw []byte) error {
	kept, beside := l.kept()
	whole := filepath.Join(beside, name)
	if err := os.WriteFile(whole, raw, 0o600); err != nil {
		_ = os.Remove(whole) // what there is of it
		return err
	}
	inbox := filepath.Join(kept, "inbox")
	if err := os.MkdirAll(inbox, 0o700); err != nil { // a bucket has no empty folders
		return err
	}
	return os.Rename(whole, filepath.Join(inbox, name))
}

// match posts an open unmatched payment on an invoice, or dismisses it.
func (l *load) match(r *rand.Rand) {
	c := l.creditors[r.IntN(len(l.creditors))]
	invoices := l.told.of(c, false)
	list, answered := l.insist(c.key, call{method: "GET", path: "/unmatched_payments?status=open"})
	if !answered || len(invoices) == 0 {
		return
	}
	open := l.root(list).Nodes()
	if len(open) == 0 {
		return
	}
	path := below(get(open[r.IntN(len(open))], "@uri"))
	what := call{method: "POST", path: path + "/dismiss", body: "<dismiss><comment>sent back</comment></dismiss>", key: l.newKey()}
	if r.IntN(3) > 0 {
		what.path, what.body = path+"/match", fmt.Sprintf(`<match><invoice uri="/api/v1%s"/></match>`, invoices[r.IntN(len(invoices))].path)
	}
	if a, answered := l.insist(c.key, what); answered && a.done() {
		l.told.resolve(idOf(path))
	}
}
