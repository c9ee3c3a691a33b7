package foreign_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/audit/foreign"
	"purr/test/testkit"
)

// read reads the files of a folder or a zip, and returns what was wrong with them, a line each.
func read(t testing.TB, where string) (*foreign.Set, string) {
	t.Helper()
	source, err := foreign.Open(where)
	var set *foreign.Set
	if err == nil {
		defer func() { testkit.Must(t, source.Close()) }()
		set, err = foreign.Read(t.Context(), source)
	}
	if err != nil && !errors.As(err, new(*foreign.Faults)) {
		t.Fatalf("%s: %v", where, err)
	}
	if err != nil {
		return nil, err.Error()
	}
	return set, ""
}

// TestU9EveryFaultAtOnce has a fault in nearly every field.
func TestU9EveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	folder := written(t,
		"invoice;customer;debtor;issued;due;amount;net;vat;agreed_rate\n"+
			"1;Kari;private;2026-01-01;2026-01-15;100,00;80;20;\n"+
			"2;;somebody;01/02/2026;31.04.2026;1.234;1;2;12 prosent\n"+
			"1;Ola;trader;2026-01-20;2026-01-15;-5;;;\n"+
			"3;Ola;trader;;2026-01-15;100,00;80,00;25,00;\n"+
			"4;Ola;trader\n"+
			"5;"+strings.Repeat("x", 101)+";trader;;15.1.26;1,2,3;;;\n",
		"invoice,date,amount,kind\n1,2026-01-20,100,cash\n9,,1e3,\n3,2026-01-20,10,\n3,2026-01-21,-30,\n1,2026-01-21,-5,credit\n",
		"notice,invoice,kind,date,sent,due,fee,compensation,interest,charged,waived\n"+
			"a,1,reminder,2026-01-29,,2026-02-12,38.00,,1,39,\n"+
			"a,1,reminder,2026-01-29,,2026-02-12,38.00,,1,40,50\n"+
			"b,7,letter,2026-02-30,yesterday,,-1,12.345,1 00,,\n")
	_, faults := read(t, folder)
	testkit.Golden(t, "testdata/faults.txt", faults+"\n")
}

// TestU9WhatTheFilesMayLookLike reads the same three files in the forms that programs write.
func TestU9WhatTheFilesMayLookLike(t *testing.T) {
	t.Parallel()
	const invoices = "Faktura;Kunde;Skyldner;Forfallsdato;Beløp\n1;Bjørn Ærlig;privat;15.1.2026;\"10 000,00\"\n"
	latin1 := strings.NewReplacer("ø", "\xf8", "Æ", "\xc6").Replace(invoices)
	utf16 := []byte{0xff, 0xfe}
	for _, r := range invoices { // all of it is of one unit
		utf16 = append(utf16, byte(r), byte(r>>8))
	}
	const payments = "Faktura;Dato;Beløp\n\n1;20260120;1.000,5\n1;2026-01-21T10:11:12;500\n"
	const notices = "Brev,Faktura,Slag,Dato,Frist,Gebyr,Rente\r\n\"P,1\",1,Purring,29.01.2026,12.2.2026,\"39,00\",\r\n"
	for form, text := range map[string]string{
		"UTF-8": invoices, "UTF-8 with a mark": "\ufeff" + invoices, "Windows-1252": latin1, "UTF-16": string(utf16), "with commas": strings.ReplaceAll(strings.ReplaceAll(invoices, ",00", ""), ";", ","),
		"a time behind the date": strings.Replace(invoices, "15.1.2026", "2026-01-15 00:00:00", 1), "no-break spaces": strings.Replace(invoices, "10 000", "10\u00a0000", 1), "points": strings.Replace(invoices, "10 000,00", "10,000.00", 1),
	} {
		folder := written(t, text, payments, notices)
		set, faults := read(t, folder)
		if faults != "" {
			t.Errorf("%s: %s", form, faults)
			continue
		}
		r := set.Judge(figures(t), "en")
		if got := told(r); got != "P,1 fee_above_cap 1.00" || len(r.Customers) != 1 || r.Customers[0].Customer != "Bjørn Ærlig" {
			t.Errorf("%s: %s of %v", form, got, r.Customers)
		}
		if len(set.Files) != 3 || set.Files[1].Rows != 2 || len(set.Files[0].SHA256) != 64 {
			t.Errorf("%s: %+v", form, set.Files)
		}
	}
}

// TestU9FilesThatAreNone says what is wrong with a file as a whole.
func TestU9FilesThatAreNone(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct{ invoices, want string }{
		"empty":               {"", "invoices.csv: is empty: its first row names the columns"},
		"no CSV":              {invoiceHead + "1,\"a\"b,private\n", "invoices.csv line 2 column 5: extraneous or missing \" in quoted-field"},
		"a quote to the end":  {invoiceHead + "1,\"a,b", "invoices.csv line 2 column 7: extraneous or missing \" in quoted-field"},
		"a line without end":  {invoiceHead + strings.Repeat("x", 2<<20), "invoices.csv: a line has more than 1024 KiB"},
		"an unknown column":   {"invoice,customer,debtor,due,amount,colour\n", "invoices.csv line 1 column colour: the file has no such column; it may have invoice, customer, debtor, issued, due, amount, net, vat, agreed_rate, disputed"},
		"a column twice":      {"invoice,customer,debtor,due,amount,faktura\n", "invoices.csv line 1 column invoice: the column stands there twice"},
		"a missing column":    {"invoice,customer,debtor,amount\n", "invoices.csv line 1 column due: the column is missing: its due date"},
		"a column without":    {"invoice,customer,debtor,due,amount,\n", "invoices.csv line 1: column 6 has no name"},
		"a row that is short": {invoiceHead + "1,2\n", "invoices.csv line 2: the row has 2 fields, and the first row 8"},
	} {
		_, faults := read(t, written(t, test.invoices, paymentHead, noticeHead))
		if faults != test.want {
			t.Errorf("%s: %s", what, faults)
		}
	}
	folder := t.TempDir()
	if _, faults := read(t, folder); !strings.HasPrefix(faults, "invoices.csv: is missing") || strings.Count(faults, "\n") != 2 {
		t.Errorf("an empty folder: %s", faults)
	}
	many := written(t, invoiceHead+strings.Repeat("1,K,private,,2026-01-15,x,,\n", 3000), paymentHead, noticeHead)
	if _, faults := read(t, many); strings.Count(faults, "\n") != 1000 || !strings.HasSuffix(faults, "and 4999 more") {
		t.Errorf("%d faults are told: …%s", strings.Count(faults, "\n"), faults[len(faults)-40:])
	}
}

// packed writes a zip with members.
func packed(t testing.TB, members map[string]string, also func(*zip.Writer)) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range members {
		f, err := w.Create(name)
		testkit.Must(t, err)
		_, err = f.Write([]byte(text))
		testkit.Must(t, err)
	}
	if also != nil {
		also(w)
	}
	testkit.Must(t, w.Close())
	name := filepath.Join(t.TempDir(), "export.zip")
	testkit.Must(t, os.WriteFile(name, out.Bytes(), 0o600))
	return name
}

// TestU9AZip is read as a folder is, or refused where it is hostile.
func TestU9AZip(t *testing.T) {
	t.Parallel()
	good := map[string]string{"export/Invoices.CSV": invoiceHead + "1,K,private,,2026-01-15,100,,\n", "export/payments.csv": paymentHead, "export/notices.csv": noticeHead, "__MACOSX/._invoices.csv": "x"}
	set, faults := read(t, packed(t, good, func(w *zip.Writer) { _, err := w.Create("export/"); testkit.Must(t, err) }))
	if faults != "" || set.Files[0].Rows != 1 {
		t.Fatalf("a good zip: %s", faults)
	}
	member := func(name, text string, mode os.FileMode) func(*zip.Writer) {
		return func(w *zip.Writer) {
			h := &zip.FileHeader{Name: name, Method: zip.Deflate}
			h.SetMode(mode)
			f, err := w.CreateHeader(h)
			testkit.Must(t, err)
			_, err = f.Write([]byte(text))
			testkit.Must(t, err)
		}
	}
	for what, test := range map[string]struct {
		also func(*zip.Writer)
		want string
	}{
		"a path out of it":  {member("../invoices.csv", "x", 0o600), `"../invoices.csv": its path leads out of the zip`},
		"an absolute path":  {member("/etc/invoices.csv", "x", 0o600), `"/etc/invoices.csv": its path leads out of the zip`},
		"a path of Windows": {member(`..\invoices.csv`, "x", 0o600), `"..\\invoices.csv": its path leads out of the zip`},
		"a folder out":      {member("../", "", 0o600|os.ModeDir), `"../": its path leads out of the zip`},
		"a link":            {member("x/notices.csv", "/etc/passwd", 0o777|os.ModeSymlink), `"x/notices.csv": it is no ordinary file`},
		"another file":      {member("notes.txt", "x", 0o600), `"notes.txt": is none of invoices.csv, payments.csv and notices.csv`},
		"a bomb":            {member("b/notices.csv", strings.Repeat("0", 8<<20), 0o600), `"b/notices.csv": it is packed more than 200 times smaller, as no such file is`},
		"two of a name":     {member("b/notices.csv", "x", 0o600), "notices.csv: there are two of this name"},
	} {
		if _, faults := read(t, packed(t, good, test.also)); faults != test.want {
			t.Errorf("%s: %s, want %s", what, faults, test.want)
		}
	}
	for what, text := range map[string]string{"no zip": "PK\x03\x04 and nothing more", "nothing": ""} {
		name := filepath.Join(t.TempDir(), "export.zip")
		testkit.Must(t, os.WriteFile(name, []byte(text), 0o600))
		if _, faults := read(t, name); !strings.HasPrefix(faults, "export.zip: is neither a folder nor a zip") {
			t.Errorf("%s: %s", what, faults)
		}
	}
	many := packed(t, good, func(w *zip.Writer) {
		for range 200 {
			member("x/notes.txt", "", 0o600)(w)
		}
	})
	if _, faults := read(t, many); !strings.Contains(faults, "has 204 files, and three are wanted") {
		t.Errorf("many files: %s", faults)
	}
}

// TestU9AZipThatLiesAboutItsSizes is refused while it is read.
func TestU9AZipThatLiesAboutItsSizes(t *testing.T) {
	t.Parallel()
	good := map[string]string{"invoices.csv": invoiceHead, "payments.csv": paymentHead, "notices.csv": noticeHead + strings.Repeat("a,1,reminder,2026-01-29,,,,,,,\n", 1000)}
	name := packed(t, good, nil)
	content, err := os.ReadFile(name)
	testkit.Must(t, err)
	at := bytes.LastIndex(content, []byte("notices.csv")) - 46 // its entry in the directory
	content[at+24], content[at+25], content[at+26] = 10, 0, 0  // ten bytes, it says
	testkit.Must(t, os.WriteFile(name, content, 0o600))
	source, err := foreign.Open(name)
	testkit.Must(t, err)
	defer func() { testkit.Must(t, source.Close()) }()
	if _, err := foreign.Read(t.Context(), source); err == nil {
		t.Error("it was read")
	}
}

// FuzzU9Read has any bytes as files: they are read, or have faults with their places, and are judged in no order that matters.
func FuzzU9Read(f *testing.F) {
	f.Add(invoiceHead+"1,K,private,,2026-01-15,100,,\n", paymentHead+"1,2026-01-20,100,\n", noticeHead+"a,1,reminder,2026-01-29,,2026-02-12,38,,1,,\n")
	f.Add("\ufeff"+strings.ReplaceAll(invoiceHead, ",", ";"), "\xff\xfe", "\"")
	f.Add(invoiceHead+"1,K,trader,,2999-12-31,9999999999.99,100,\n", paymentHead+"1,1900-01-01,-0.01,\n", noticeHead+"a,1,warning,2999-12-31,1900-01-01,,,9999999999.99,9999999999.99,2999-12-31,\n")
	l := figures(f)
	f.Fuzz(func(t *testing.T, invoices, payments, notices string) {
		set, faults := read(t, written(t, invoices, payments, notices))
		if (set == nil) == (faults == "") {
			t.Fatalf("read, and: %s", faults)
		}
		if set == nil {
			return
		}
		r := set.Judge(l, "nb")
		for finding := range r.Findings {
			if finding.Text == "" || finding.Back < 0 {
				t.Errorf("%+v", finding)
			}
		}
		testkit.Must(t, r.WriteJSON(new(bytes.Buffer)))
	})
}
