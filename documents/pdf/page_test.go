package pdf

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

const samplePage = "https://pay.example.no/0123456789abcdefghjkmnpqrs"

func withPage(in InvoiceInput) InvoiceInput {
	in.Page = samplePage
	return in
}

func noticeWithPage(in NoticeInput) NoticeInput {
	in.Page = samplePage
	return in
}

func letterWithPage(in LetterInput) LetterInput {
	in.Page = samplePage
	return in
}

// drawnInvoice is drawn by AvtaleGiro, and has no payment box.
func drawnInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	in.Invoice.Drawn = true
	return in
}

// drawnCode is a QR code of a page.
type drawnCode struct {
	page    int
	box     box     // without the light modules around it
	modules int     // in a row
	module  float64 // millimetres
}

var (
	showCode = regexp.MustCompile(`q\n0 0 0 rg\n([\d.]+) 0\.00 0\.00 -([\d.]+) ([\d.]+) ([\d.]+) cm\n((?:\d+ \d+ \d+ 1 re\n)+)f\nQ\n`)
	showRun  = regexp.MustCompile(`(\d+) (\d+) (\d+) 1 re\n`)
	showArea = regexp.MustCompile(`([\d.]+) ([\d.]+) ([\d.]+) rg\n([\d.]+) ([\d.]+) ([\d.]+) -([\d.]+) re f\n`)
	showLine = regexp.MustCompile(`([\d.]+) ([\d.]+) m\n([\d.]+) ([\d.]+) l S\n`)
)

func numbers(t testing.TB, matched [][]byte) []float64 {
	t.Helper()
	all := make([]float64, len(matched))
	for i, s := range matched {
		var err error
		if all[i], err = strconv.ParseFloat(string(s), 64); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// contents returns what is drawn on each page.
func contents(t testing.TB, file []byte) (all [][]byte) {
	t.Helper()
	for _, m := range contentStream.FindAllIndex(file, -1) {
		all = append(all, inflate(t, file[m[1]:]))
	}
	return all
}

// codes returns the QR codes of a file.
func codes(t testing.TB, file []byte) (all []drawnCode) {
	t.Helper()
	for page, content := range contents(t, file) {
		for _, m := range showCode.FindAllSubmatch(content, -1) {
			n := numbers(t, m[1:5])
			c := drawnCode{page: page + 1, module: n[0] * mm}
			for _, run := range showRun.FindAllSubmatch(m[5], -1) {
				r := numbers(t, run[1:])
				c.modules = max(c.modules, int(r[0]+r[2]), int(r[1])+1)
			}
			x, y, width := n[2]*mm, (pageHeight-n[3])*mm, float64(c.modules)*c.module
			c.box = box{x, y, x + width, y + width}
			all = append(all, c)
		}
	}
	return all
}

// shapes returns the areas and lines of the first page.
func shapes(t testing.TB, file []byte) (all []box) {
	t.Helper()
	content := contents(t, file)[0]
	for _, m := range showArea.FindAllSubmatch(content, -1) {
		n := numbers(t, m[4:])
		top := (pageHeight - n[1]) * mm
		all = append(all, box{n[0] * mm, top, (n[0] + n[2]) * mm, top + n[3]*mm})
	}
	for _, m := range showLine.FindAllSubmatch(content, -1) {
		n := numbers(t, m[1:])
		y := (pageHeight - n[1]) * mm
		all = append(all, box{n[0] * mm, y - 0.1, n[2] * mm, y + 0.1})
	}
	return all
}

// raster draws the areas and the codes of the first page with so many pixels an inch. It draws no texts.
func raster(t testing.TB, file []byte, resolution float64) image.Image {
	t.Helper()
	pixel := resolution / 72 // of a point
	p := image.NewGray(image.Rect(0, 0, int(pageWidth*pixel), int(pageHeight*pixel)))
	draw.Draw(p, p.Bounds(), image.White, image.Point{}, draw.Src)
	fill := func(x, y, width, height float64, shade uint8) { // in points, y downwards
		at := image.Rect(int(x*pixel+0.5), int(y*pixel+0.5), int((x+width)*pixel+0.5), int((y+height)*pixel+0.5))
		draw.Draw(p, at, image.NewUniform(color.Gray{Y: shade}), image.Point{}, draw.Src)
	}
	content := contents(t, file)[0]
	for _, m := range showArea.FindAllSubmatch(content, -1) {
		n := numbers(t, m[1:])
		fill(n[3], pageHeight-n[4], n[5], n[6], uint8(n[0]*255))
	}
	for _, m := range showCode.FindAllSubmatch(content, -1) {
		n := numbers(t, m[1:5])
		for _, run := range showRun.FindAllSubmatch(m[5], -1) {
			r := numbers(t, run[1:])
			fill(n[2]+r[0]*n[0], pageHeight-n[3]+r[1]*n[0], r[2]*n[0], n[0], 0)
		}
	}
	return p
}

// scanned reads the QR code of a picture, and how much of it may be lost.
func scanned(t *testing.T, p image.Image) (text, level string) {
	t.Helper()
	bitmap, err := gozxing.NewBinaryBitmapFromImage(p)
	if err != nil {
		t.Fatal(err)
	}
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
	if err != nil {
		t.Fatal("no QR code is found: ", err)
	}
	level, _ = read.GetResultMetadata()[gozxing.ResultMetadataType_ERROR_CORRECTION_LEVEL].(string)
	return read.GetText(), level
}

// TestW1TheCodeIsReadBack reads the code from the page by another's decoder, also of addresses that are longer and shorter.
func TestW1TheCodeIsReadBack(t *testing.T) {
	t.Parallel()
	for _, address := range []string{samplePage, "https://p.no/zzzzzzzzzzzzzzzzzzzzzzzzzz", "https://" + strings.Repeat("betaling.", 12) + "example.no/0123456789abcdefghjkmnpqrs"} {
		in := shortInvoice("nb")
		in.Page = address
		file, err := Invoice(in)
		says(t, file, err, strings.TrimPrefix(address, "https://"))
		for _, resolution := range []float64{150, 300} {
			if got, level := scanned(t, raster(t, file, resolution)); got != address || !slices.Contains([]string{"M", "Q", "H"}, level) {
				t.Errorf("at %.0f an inch it is %q with level %q, want %q", resolution, got, level, address)
			}
		}
		if c := codes(t, file)[0]; c.box.right-c.box.left < codeWidth || c.module < moduleSize {
			t.Errorf("the code is %.2f mm wide, a module %.2f", c.box.right-c.box.left, c.module)
		}
	}
}

// TestW1TheCodesOfManyTokens reads the codes of many tokens, the same ones each time: the mask of a code is always the same.
func TestW1TheCodesOfManyTokens(t *testing.T) {
	t.Parallel()
	const signs, many = "0123456789abcdefghjkmnpqrstvwxyz", 30
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // it need not be hard to guess
	for range many {
		token := make([]byte, 26)
		for i := range token {
			token[i] = signs[random.IntN(len(signs))]
		}
		in := plainInvoice("nb")
		in.Page = "https://pay.example.no/" + string(token)
		file, err := Invoice(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := scanned(t, raster(t, file, 300)); got != in.Page {
			t.Fatalf("it is %q, want %q", got, in.Page)
		}
	}
}

// TestW1NothingStandsInTheStrip holds that the code has four light modules around it on the first page, and that nothing meets its words.
func TestW1NothingStandsInTheStrip(t *testing.T) {
	t.Parallel()
	measure, strips := ruler(t), 0
	for _, s := range samples {
		for _, language := range s.languages {
			file, err := s.draw(language)
			if err != nil {
				t.Fatal(err)
			}
			found := codes(t, file)
			if len(found) == 0 {
				continue
			}
			strips++
			c := found[0]
			if len(found) > 1 || c.page != 1 {
				t.Errorf("%s_%s: there are the codes %v", s.name, language, found)
			}
			light := 4*c.module - 0.01 // places are written in hundredths of points
			around := box{c.box.left - light, c.box.top - light, c.box.right + light, c.box.bottom + light}
			beside := box{around.right, c.box.top, right, c.box.bottom} // of the words
			words := 0
			for _, d := range texts(t, file) {
				at := d.extent(measure)
				switch {
				case d.page != 1:
				case at.meets(around):
					t.Errorf("%s_%s: %q stands in the code's light edge", s.name, language, d.text)
				case beside.contains(at):
					words++
				case at.meets(beside):
					t.Errorf("%s_%s: %q reaches into the strip", s.name, language, d.text)
				}
			}
			for _, shape := range shapes(t, file) {
				if shape.meets(around) || shape.meets(beside) {
					t.Errorf("%s_%s: %.1f lies in the strip", s.name, language, shape)
				}
			}
			if words != 3 {
				t.Errorf("%s_%s: the strip has %d texts, want a title, a sentence and the address", s.name, language, words)
			}
		}
	}
	if strips < 10 {
		t.Errorf("%d samples have a strip", strips)
	}
}

// TestW1TheWordsOfTheStrip holds that they offer, and that what else a letter says stands as without them.
func TestW1TheWordsOfTheStrip(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]struct{ invoice, notice string }{
		"nb": {"Spørsmål om fakturaen? Se hva som er ubetalt, si fra om noe er feil, eller be om mer tid. ", "Har du betalt, er noe feil, eller trenger du mer tid? Si fra her, der du også ser hva som er ubetalt. "},
		"nn": {"Spørsmål om fakturaen? Sjå kva som er ubetalt, sei frå om noko er feil, eller be om meir tid. ", "Har du betalt, er noko feil, eller treng du meir tid? Sei frå her, der du òg ser kva som er ubetalt. "},
		"en": {"Questions about this invoice? See what is owed, say if something is wrong, or ask for more time. ", "Have you paid, is something wrong, or do you need more time? Tell us here, where you also see what is owed. "},
	} {
		for _, d := range []struct {
			words      string
			draw, bare func() ([]byte, error)
		}{
			{want.invoice, func() ([]byte, error) { return Invoice(withPage(shortInvoice(language))) }, func() ([]byte, error) { return Invoice(shortInvoice(language)) }},
			{want.invoice, func() ([]byte, error) { return Invoice(withPage(drawnInvoice(language))) }, func() ([]byte, error) { return Invoice(drawnInvoice(language)) }},
			{want.notice, func() ([]byte, error) { return Notice(noticeWithPage(warning(language))) }, func() ([]byte, error) { return Notice(warning(language)) }},
			{want.notice, func() ([]byte, error) { return Letter(letterWithPage(letter(language, 3, false))) }, func() ([]byte, error) { return Letter(letter(language, 3, false)) }},
		} {
			strip := d.words + strings.TrimPrefix(samplePage, "https://") + " "
			file, err := d.draw()
			says(t, file, err, strip)
			bare, err := d.bare()
			says(t, bare, err)
			if got := strings.Replace(plain(t, file), strip, "", 1); got != plain(t, bare) {
				t.Errorf("%s: without the strip it says\n%s\nwant\n%s", language, got, plain(t, bare))
			}
		}
	}
}

func TestW1AnAddressThatNoCodeCanHold(t *testing.T) {
	t.Parallel()
	in := shortInvoice("nb")
	in.Page = "https://" + strings.Repeat("x", 3000)
	if _, err := Invoice(in); err == nil || !strings.Contains(err.Error(), "the address of the debtor's page") {
		t.Errorf("the error is %v", err)
	}
}
