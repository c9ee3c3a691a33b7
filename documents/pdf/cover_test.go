package pdf

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"purr/models"
)

// TestN4ACoverComesBeforeTheDocumentAndLeavesItsBytes: the file begins with the document's own bytes, and has a page more, which is the
// first one.
func TestN4ACoverComesBeforeTheDocumentAndLeavesItsBytes(t *testing.T) {
	t.Parallel()
	for _, s := range samples {
		file, err := s.draw("nb")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Kari Nordmann", "Λουκία Παπαδοπούλου"} {
			c := Cover{
				Creditor: models.Creditor{Name: "Blåbær AS"}, To: models.Recipient{Name1: name, Address1: "Nyveien 7", PostalCode: "0155", PostalName: "Oslo"},
				Copy: true, Language: "nb", Kind: models.InvoiceDocument, Number: 10001, Date: models.NewDate(2026, 3, 2),
			}
			covered, err := c.Before(file)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			if !bytes.HasPrefix(covered, file) || Pages(covered) != Pages(file)+1 {
				t.Errorf("%s: the document's bytes changed, or it has %d pages after %d", s.name, Pages(covered), Pages(file))
			}
			again, err := c.Before(file)
			if err != nil || !bytes.Equal(again, covered) {
				t.Errorf("%s: the same cover differs, %v", s.name, err)
			}
			text := plain(t, covered[len(file):])
			for _, want := range []string{"Kopi", "Dette er en kopi av Faktura 10001", "ikke et nytt krav", "Nyveien 7", name} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: the cover lacks %q: %s", s.name, want, text)
				}
			}
			readable(t, covered, Pages(covered))
		}
	}
}

// readable follows the tables of a file from its end, as a reader does: each object is where they say, the newest one counts, and the
// pages are as many as the tree of pages says.
func readable(t *testing.T, file []byte, pages int) {
	t.Helper()
	var at, catalog, size int
	end := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(file)
	scan(t, string(end[1]), "%d", &at)
	objects := map[int]int{}
	for at != 0 {
		table, more, _ := bytes.Cut(file[at:], []byte("trailer\n"))
		lines := strings.Split(strings.TrimSuffix(string(table), "\n"), "\n")
		for i := 1; i < len(lines); {
			var first, count, offset int
			scan(t, lines[i], "%d %d", &first, &count)
			for n := range count {
				scan(t, lines[i+1+n], "%d", &offset)
				if _, newer := objects[first+n]; !newer && first+n != 0 {
					objects[first+n] = offset
				}
			}
			i += 1 + count
		}
		said, _, _ := strings.Cut(string(more), "\n")
		at = 0
		if _, previous, has := strings.Cut(said, "/Prev "); has {
			scan(t, previous, "%d", &at)
		}
		if catalog == 0 {
			scan(t, said, "<</Size %d /Root %d", &size, &catalog)
		}
	}
	if len(objects) != size-1 {
		t.Errorf("the tables have %d objects of %d", len(objects), size-1)
	}
	object := func(n int) string {
		text := string(file[objects[n]:])
		if !strings.HasPrefix(text, strconv.Itoa(n)+" 0 obj\n") {
			t.Fatalf("object %d is not where the table says", n)
		}
		text, _, _ = strings.Cut(text, "\nendobj")
		return text
	}
	var tree int
	_, root, _ := strings.Cut(object(catalog), "/Pages ")
	scan(t, root, "%d", &tree)
	_, kids, _ := strings.Cut(object(tree), "/Kids [")
	kids, count, _ := strings.Cut(kids, "]\n/Count ")
	leaves := strings.Split(strings.TrimSpace(strings.ReplaceAll(kids, " 0 R", "")), " ")
	if len(leaves) != pages || !strings.HasPrefix(count, strconv.Itoa(pages)+"\n") {
		t.Errorf("the tree has the pages %v and counts %s", leaves, count)
	}
	for _, leaf := range leaves {
		var n, content int
		scan(t, leaf, "%d", &n)
		_, named, _ := strings.Cut(object(n), "/Contents ")
		scan(t, named, "%d", &content)
		object(content)
	}
}

func scan(t *testing.T, text, form string, into ...any) {
	t.Helper()
	if _, err := fmt.Sscanf(text, form, into...); err != nil {
		t.Fatalf("%.60q is not %q: %v", text, form, err)
	}
}

// TestN4TheCoverSaysWhatTheDocumentIs in each language, and of what goes to another address that it is enclosed.
func TestN4TheCoverSaysWhatTheDocumentIs(t *testing.T) {
	t.Parallel()
	file, err := samples[0].draw("nb")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		cover Cover
		want  string
	}{
		{Cover{Kind: models.InvoiceDocument, Language: "en", Copy: true}, "This is a copy of Invoice 7, enclosed as it was sent. The copy is no new claim"},
		{Cover{Kind: models.CreditNoteDocument, Language: "nn", Copy: true}, "Dette er ein kopi av Kreditnota 7. Han er lagd ved slik han vart send. "},
		{Cover{Kind: models.NoticeDocument, Language: "nb", Copy: true, Notice: models.Notice{Warning: true}}, "Dette er en kopi av Inkassovarsel · Faktura 7."},
		{Cover{Kind: models.InvoiceDocument, Language: "nb"}, "Vedlagt er Faktura 7. Adressen der er den vi hadde"},
	} {
		tt.cover.Number, tt.cover.Creditor.Name = 7, "Blåbær AS"
		covered, err := tt.cover.Before(file)
		if err != nil {
			t.Fatal(err)
		}
		if text := plain(t, covered[len(file):]); !strings.Contains(text, tt.want) {
			t.Errorf("it says %q, want %q", text, tt.want)
		}
	}
	if _, err := (Cover{}).Before([]byte("%PDF-1.7 of another program")); err == nil {
		t.Error("another program's file got a cover")
	}
}
