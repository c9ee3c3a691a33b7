package pdf

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"purr/models"
)

// picture returns a picture that is dark on the left, and transparent in the middle.
func picture(width, height int) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.SetNRGBA(x, y, color.NRGBA{byte(255 * x / width), 80, byte(255 * y / height), 255})
			if x > width/3 && x < width/2 {
				p.SetNRGBA(x, y, color.NRGBA{})
			}
		}
	}
	return p
}

func pngOf(p image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func withLogo(language string, width, height int) InvoiceInput {
	in := shortInvoice(language)
	logo, _, err := ReadLogo(pngOf(picture(width, height)))
	if err != nil {
		panic(err)
	}
	in.Logo = logo
	return in
}

// TestL19ReadLogo takes PNG and JPEG files up to 2000 × 800 pixels, and nothing else.
func TestL19ReadLogo(t *testing.T) {
	t.Parallel()
	whole := pngOf(picture(300, 100))
	var asJPEG, asGIF bytes.Buffer
	if err := jpeg.Encode(&asJPEG, picture(2000, 800), nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&asGIF, picture(30, 10), nil); err != nil {
		t.Fatal(err)
	}
	bomb := bytes.Clone(whole) // whose head says that it has 9 · 10⁸ pixels
	binary.BigEndian.PutUint32(bomb[16:], 30_000)
	binary.BigEndian.PutUint32(bomb[20:], 30_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0xff
	for _, tt := range []struct {
		name         string
		file         []byte
		media, fault string
	}{
		{"PNG", whole, "image/png", ""},
		{"JPEG of the largest size", asJPEG.Bytes(), "image/jpeg", ""},
		{"one pixel", pngOf(picture(1, 1)), "image/png", ""},
		{"a line", pngOf(picture(2000, 1)), "image/png", ""},
		{"a pole", pngOf(picture(1, 800)), "image/png", ""},
		{"one pixel too wide", pngOf(picture(2001, 10)), "", "is 2001 pixels wide and 10 high, the most is 2000 and 800"},
		{"one pixel too high", pngOf(picture(10, 801)), "", "is 10 pixels wide and 801 high"},
		{"a bomb", bomb, "", "is 30000 pixels wide and 30000 high"},
		{"nothing", nil, "", "must be a PNG or JPEG file"},
		{"GIF", asGIF.Bytes(), "", "must be a PNG or JPEG file"},
		{"SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>`), "", "must be a PNG or JPEG file"},
		{"PDF", []byte("%PDF-1.4\n"), "", "must be a PNG or JPEG file"},
		{"a PNG cut off", whole[:len(whole)-40], "", "is damaged"},
		{"a PNG without its picture", whole[:40], "", "is damaged"},
		{"a PNG with a wrong bit", flipped, "", "is damaged"},
		{"a JPEG cut off", asJPEG.Bytes()[:asJPEG.Len()/2], "", "is damaged"},
	} {
		logo, media, err := ReadLogo(tt.file)
		if tt.fault != "" {
			if models.KindOf(err) != models.KindInvalid || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: the fault is %v, want %q", tt.name, err, tt.fault)
			}
			continue
		}
		if err != nil || media != tt.media || logo == nil {
			t.Errorf("%s: it is %s, %v", tt.name, media, err)
			continue
		}
		if wide, high := logo.place(); wide > logoWidth || high > logoHeight || wide <= 0 || high <= 0 {
			t.Errorf("%s: it is %.1f mm wide and %.1f mm high", tt.name, wide, high)
		}
	}
}

// TestL19ALogoIsMadeSmaller holds the pixels of a logo that is made smaller: the mean of what they stand for, white where
// nothing is.
func TestL19ALogoIsMadeSmaller(t *testing.T) {
	t.Parallel()
	p := image.NewRGBA(image.Rect(0, 0, 4, 2))
	for x := range 4 {
		for y := range 2 {
			p.SetRGBA(x, y, color.RGBA{byte(10 * x), byte(100 * y), 7, 255})
		}
	}
	if got, want := scaled(p, 2, 1), []byte{5, 50, 7, 25, 50, 7}; !bytes.Equal(got, want) {
		t.Errorf("the pixels are %v, want %v", got, want)
	}
	if w, h := printedSize(2000, 800); w > printedWidth || h > printedHeight {
		t.Errorf("the largest logo is printed in %d × %d pixels", w, h)
	}
	if w, h := printedSize(100, 50); w != 100 || h != 50 {
		t.Errorf("a small logo is printed in %d × %d pixels", w, h)
	}
}

// TestL19AFileHasItsLogoOnce counts the pictures of documents of one page and of several, and of a cover.
func TestL19AFileHasItsLogoOnce(t *testing.T) {
	t.Parallel()
	in := withLogo("nb", 600, 200)
	short, err := Invoice(in)
	if err != nil {
		t.Fatal(err)
	}
	in.Lines = hugeInvoice("nb", 45).Lines
	long, err := Invoice(in)
	if err != nil {
		t.Fatal(err)
	}
	in.Logo = nil
	without, err := Invoice(in)
	if err != nil {
		t.Fatal(err)
	}
	covered, err := Cover{Creditor: in.Creditor, Logo: withLogo("nb", 600, 200).Logo, To: in.Invoice.Recipient, Copy: true, Kind: models.InvoiceDocument, Number: 1001, Date: in.Invoice.IssueDate}.Before(short)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		file []byte
		want int
	}{"a page": {short, 1}, "pages": {long, 1}, "no logo": {without, 0}, "a cover": {covered, 2}} {
		if n := bytes.Count(tt.file, []byte("/Subtype /Image")); n != tt.want {
			t.Errorf("%s: %d pictures, want %d", name, n, tt.want)
		}
		if n := bytes.Count(tt.file, []byte("/XObject <</Logo ")); n != tt.want {
			t.Errorf("%s: %d pages name a picture, want %d", name, n, tt.want)
		}
	}
}
