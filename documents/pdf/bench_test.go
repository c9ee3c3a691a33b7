package pdf

import (
	"io"
	"testing"

	"codeberg.org/go-pdf/fpdf"
)

// BenchmarkReadyPage is what the documents are measured against: what is drawn on the page of an invoice is there, and is
// compressed and written to a file with the fonts.
func BenchmarkReadyPage(b *testing.B) {
	file, err := Invoice(shortInvoice("nb"))
	if err != nil {
		b.Fatal(err)
	}
	d := ruler(b)
	d.pages[0] = inflate(b, file[contentStream.FindIndex(file)[1]:])
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.file(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibraryPage is what a PDF library needs for a page of one text in a font that is not embedded.
func BenchmarkLibraryPage(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p := fpdf.New("P", "mm", "A4", "")
		p.AddPage()
		p.SetFont("Helvetica", "", 10)
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

// BenchmarkInvoicePage is an invoice with a strip of the debtor's page.
func BenchmarkInvoicePage(b *testing.B) {
	in := withPage(shortInvoice("nb"))
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
