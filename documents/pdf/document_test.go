package pdf

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"purr/models"
)

// TestSameInputSameBytes draws every sample from many goroutines at once (rule D35).
func TestSameInputSameBytes(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			want, err := s.draw("nb")
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					got, err := s.draw("nb")
					if err != nil || !bytes.Equal(got, want) {
						t.Errorf("drawn again it differs, error %v", err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestEveryFontIsEmbedded(t *testing.T) {
	for _, s := range samples {
		file, err := s.draw("nb")
		if err != nil {
			t.Fatal(err)
		}
		fonts := 2
		if bytes.Contains(file, []byte("+NotoSans")) { // the usual ones are beside the wide ones
			fonts = 4
		}
		for mark, want := range map[string]int{"/FontFile2": fonts, "/Subtype /Type1": 0, "/Type /FontDescriptor": fonts} {
			if got := bytes.Count(file, []byte(mark)); got != want {
				t.Errorf("%s: %d of %s, want %d", s.name, got, mark, want)
			}
		}
	}
}

func TestDatesInTheFileAreTheDocuments(t *testing.T) {
	file, err := Notice(warning("nb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/CreationDate (D:20260706000000)", "/ModDate (D:20260706000000)", "/Lang (nb)"} {
		if !bytes.Contains(file, []byte(want)) {
			t.Errorf("the file lacks %s", want)
		}
	}
}

func TestEightLongLinesGoOnOnePage(t *testing.T) {
	in := longInvoice("nb")
	in.Invoice.Note, in.Invoice.Order = "", models.Order{}
	file, err := Invoice(in)
	if err != nil {
		t.Fatal(err)
	}
	if n := pages(file); n != 1 {
		t.Errorf("%d lines of %d characters take %d pages, want 1", 8, models.MaxLineText, n)
	}
}

func TestALongNoteGoesOnOverPagesWithNumbers(t *testing.T) {
	in := shortInvoice("nb")
	in.Invoice.Note = strings.Repeat("x\n", 200)
	file, err := Invoice(in)
	if err != nil {
		t.Fatal(err)
	}
	got := plain(t, file)
	for _, want := range []string{"Side 1 av 5", "Side 5 av 5", "Faktura 1001 · Bjørkåsen Snekkerverksted AS"} {
		if !strings.Contains(got, want) {
			t.Errorf("the document does not say %q", want)
		}
	}
	if strings.Count(got, "x ") != 200 {
		t.Errorf("the document shows %d lines of the note, want 200", strings.Count(got, "x "))
	}
}

// TestNothingLeavesThePage draws the samples with the longest texts.
func TestNothingLeavesThePage(t *testing.T) {
	for _, s := range samples {
		file, err := s.draw("nb")
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range texts(t, file) {
			if d.x < left-0.01 || d.x > right || d.y < 10 || d.y > 290 {
				t.Errorf("%s: %q stands at %.1f, %.1f", s.name, d.text, d.x, d.y)
			}
		}
	}
}

// FuzzInvoice draws whatever texts clients send; it must not fail, and the amount is always there.
func FuzzInvoice(f *testing.F) {
	f.Add("Ola Nordmann", "Gitartime", "Takk")
	f.Add("Łukasz \\(", "a\u0308\n\n\n\tb", strings.Repeat("W", 300))
	f.Add("漢字 😊", "\xff\xfe\x00\r", "\u200D\uFFFF\uFFFE\u2028")
	f.Fuzz(func(t *testing.T, name, text, note string) {
		in := shortInvoice("nb")
		in.Creditor.Name, in.Invoice.Recipient.Name1, in.Lines[0].Text, in.Invoice.Note = name, name, text, note
		file, err := Invoice(in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plain(t, file), "NOK 17 866,90") {
			t.Error("the amount is missing")
		}
	})
}
