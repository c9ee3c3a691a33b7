package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"purr/models"
)

// Cover is a sheet in front of a document that was made before: because it is a copy, because it goes to another address than it
// shows, or because the sheet tells of more time to pay, of charges that were wrong, or that AvtaleGiro does not draw the invoice (rules N4,
// N8, N11, U6, G3a).
type Cover struct {
	Creditor models.Creditor
	Logo     *Logo // nil if the creditor has none
	To       models.Recipient
	Copy     bool // the document has left before
	Language string
	// The document: its kind, its number (of a notice the invoice's), its day, and the notice if it is one.
	Kind   models.DocumentKind
	Number int64
	Date   models.Date
	Notice models.Notice
	// What the sheet tells of more time for an invoice, and what the invoice is paid by.
	Time             models.TimeLetter
	Correction       models.Correction // what it tells of charges that were wrong
	Ordinary         models.Date       // until when an invoice that is not drawn asks to be paid, or zero
	Unpaid           models.Amount     // of that invoice
	BankAccount, KID string
}

// Before returns a document's PDF with the cover in front. The document's own bytes come first in the file, as they are: the cover
// is an update of it (ISO 32000-1, section 7.5.6). The same cover of the same document gives the same bytes. It fails if the PDF is
// not one that this package made.
func (c Cover) Before(document []byte) ([]byte, error) {
	end, err := readEnd(document)
	if err != nil {
		return nil, fmt.Errorf("pdf: a cover before %s %d: %w", c.Kind, c.Number, err)
	}
	sheet, err := c.drawn(prepared)
	if err == nil && sheet.alphabet == sheet.fonts.missing.alphabet {
		sheet, err = c.drawn(wideFonts)
	}
	if err != nil {
		return nil, fmt.Errorf("pdf: a cover before %s %d: %w", c.Kind, c.Number, err)
	}
	return end.update(document, sheet)
}

// drawn returns the sheet, drawn in some fonts. It has no footer: its page is none of the document's.
func (c Cover) drawn(in func() (*fonts, error)) (*document, error) {
	d, err := newDocument(c.heading(), in)
	if err == nil {
		c.draw(d)
	}
	return d, err
}

func (c Cover) heading() heading {
	l := languageOf(c.Language)
	h := heading{creditor: c.Creditor, logo: c.Logo, title: c.title(l), name: c.name(l), date: c.Date, language: l}
	switch {
	case c.Time.Until != 0:
		h.title, h.name = l.timeTitle, l.timeTitle+" · "+c.name(l)
	case c.Correction.Day != 0:
		h.title, h.name = l.correctionTitle, l.correctionTitle+" · "+c.name(l)
	case c.Ordinary != 0:
		h.title, h.name = l.ordinaryTitle, l.ordinaryTitle+" · "+c.name(l)
	case c.Copy:
		h.title = l.copyTitle
	}
	return h
}

// title returns what the document is.
func (c Cover) title(l *language) string {
	switch c.Kind { //nolint:exhaustive // a statement has no cover: it goes by e-mail alone
	case models.CreditNoteDocument:
		return l.creditNoteTitle
	case models.NoticeDocument, models.LetterDocument:
		return l.noticeTitle(c.Notice)
	}
	return l.invoiceTitle
}

// name returns the document as it names itself.
func (c Cover) name(l *language) string {
	if c.Kind == models.NoticeDocument {
		return c.title(l) + " · " + numbered(l.invoiceTitle, c.Number)
	}
	if c.Kind.Joint() {
		return c.title(l) + " · " + fmt.Sprintf(l.letterNumber, c.Number)
	}
	return numbered(c.title(l), c.Number)
}

func (c Cover) draw(d *document) {
	if c.Time.Until != 0 {
		c.drawTime(d)
		return
	}
	if c.Correction.Day != 0 {
		c.drawCorrection(d)
		return
	}
	if c.Ordinary != 0 {
		c.drawOrdinary(d)
		return
	}
	l := d.language
	d.letterhead(c.To, fact{l.date, l.day(c.Date)})
	if !c.Copy {
		d.paragraph(fmt.Sprintf(l.enclosed, c.name(l)), bodyStyle)
		return
	}
	d.paragraph(fmt.Sprintf(l.copyOf, c.name(l)), boldStyle)
	if c.Kind != models.CreditNoteDocument {
		d.paragraph(l.copyNoMore, bodyStyle)
	}
}

// fileEnd is what the end of a PDF says: its objects, and where their table is.
type fileEnd struct {
	objects, catalog, info, table int
	tree                          int    // the object of the pages
	pages                         []byte // what it says
}

var (
	trailer     = regexp.MustCompile(`trailer\n<</Size (\d+) /Root (\d+) 0 R /Info (\d+) 0 R>>\nstartxref\n(\d+)\n%%EOF\n$`)
	pagesObject = regexp.MustCompile(`(?s)\n(\d+) 0 obj\n(<</Type /Pages\n/Kids \[[^\]]*\]\n/Count [1-9][0-9]{0,5}\n.*?>>)\nendobj\n`)
	kidsAndMore = regexp.MustCompile(`/Kids \[([^\]]*)\]\n/Count ([0-9]+)\n`)
)

// readEnd reads the end of a PDF that this package made.
func readEnd(file []byte) (fileEnd, error) {
	end, tree := trailer.FindSubmatch(file), pagesObject.FindSubmatch(file)
	if end == nil || tree == nil {
		return fileEnd{}, errors.New("it is not of this program")
	}
	var numbers []int
	for _, digits := range append(end[1:], tree[1]) {
		n, err := strconv.Atoi(string(digits))
		if err != nil {
			return fileEnd{}, fmt.Errorf("its end: %w", err)
		}
		numbers = append(numbers, n)
	}
	return fileEnd{objects: numbers[0], catalog: numbers[1], info: numbers[2], table: numbers[3], tree: numbers[4], pages: tree[2]}, nil
}

// update returns the file with the pages of a sheet before its own.
func (e fileEnd) update(file []byte, sheet *document) ([]byte, error) {
	compressor := compressors.Get().(*zlib.Writer) //nolint:errcheck // the pool holds no others
	defer compressors.Put(compressor)
	f := pdfFile{content: bytes.Clone(file), before: e.objects - 1}
	names, err := sheet.fonts.cutInto(&f, sheet.alphabet)
	if err != nil {
		return nil, err
	}
	if sheet.logo != nil {
		names = sheet.logo.resources(&f, names)
	}
	resources := f.object("<<" + names + ">>")
	kids := ""
	for _, page := range sheet.pages {
		content, err := compressed(page, compressor)
		if err != nil {
			return nil, err
		}
		number := f.object(fmt.Sprintf("<</Type /Page\n/Parent %d 0 R\n/Resources %d 0 R\n/Contents %d 0 R>>", e.tree, resources, f.before+len(f.offsets)+2))
		f.stream("/Filter /FlateDecode", content)
		kids += fmt.Sprintf("%d 0 R ", number)
	}
	return e.end(f, kids, len(sheet.pages))
}

// end ends an updated file: its pages begin with some more, and the table of its objects goes on with the table before.
func (e fileEnd) end(f pdfFile, kids string, more int) ([]byte, error) {
	had := kidsAndMore.FindSubmatch(e.pages)
	pages, err := strconv.Atoi(string(had[2]))
	if err != nil {
		return nil, fmt.Errorf("the number of pages: %w", err)
	}
	tree := kidsAndMore.ReplaceAllLiteral(e.pages, fmt.Appendf(nil, "/Kids [%s%s]\n/Count %d\n", kids, had[1], pages+more))
	treeAt := len(f.content)
	f.content = fmt.Appendf(f.content, "%d 0 obj\n%s\nendobj\n", e.tree, tree)
	table := len(f.content)
	f.content = fmt.Appendf(f.content, "xref\n%d 1\n%010d 00000 n \n%d %d\n", e.tree, treeAt, e.objects, len(f.offsets))
	for _, offset := range f.offsets {
		f.content = fmt.Appendf(f.content, "%010d 00000 n \n", offset)
	}
	return fmt.Appendf(f.content, "trailer\n<</Size %d /Root %d 0 R /Info %d 0 R /Prev %d>>\nstartxref\n%d\n%%%%EOF\n",
		e.objects+len(f.offsets), e.catalog, e.info, e.table, table), nil
}
