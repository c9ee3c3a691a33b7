package pdf

import (
	"io"
	"testing"

	"codeberg.org/go-pdf/fpdf"
)

// BenchmarkBarePage is what the documents are measured against: the same library and fonts, one text.
func BenchmarkBarePage(b *testing.B) {
	faces, err := fonts()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p := fpdf.New("P", "mm", "A4", "")
		for _, f := range faces {
			f.embed(p, false)
		}
		p.AddPage()
		p.SetFont(family, regular, 10)
		p.Cell(40, 10, "Hello")
		if err := p.Output(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBarePageUnicode is the same with fonts that fpdf cuts for the document.
func BenchmarkBarePageUnicode(b *testing.B) {
	faces, err := fonts()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p := fpdf.New("P", "mm", "A4", "")
		for _, f := range faces {
			f.embed(p, true)
		}
		p.AddPage()
		p.SetFont(family, regular, 10)
		p.Cell(40, 10, "Hello")
		if err := p.Output(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInvoice(b *testing.B) {
	in := shortInvoice("nb")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Invoice(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNotice(b *testing.B) {
	in := warning("nb")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Notice(in); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInvoiceLong is an invoice with as much of everything as can be, on two pages.
func BenchmarkInvoiceLong(b *testing.B) {
	in := longInvoice("nb")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Invoice(in); err != nil {
			b.Fatal(err)
		}
	}
}
