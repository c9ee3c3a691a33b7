package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // logos may be JPEG files
	_ "image/png"  // or PNG files

	"purr/models"
)

// What a logo may be (rule L19).
const (
	MaxLogo       = 256 << 10 // bytes
	MaxLogoWidth  = 2000      // pixels
	MaxLogoHeight = 800
)

// The place of a logo, at the top of the first page.
const (
	logoTop    = 11.0
	logoWidth  = 48.0
	logoHeight = 22.0
	logoGap    = 5.0 // beside it
)

// The most pixels of a logo that are printed: 300 an inch of its place. A printer shows no more.
const (
	printedWidth  = 567
	printedHeight = 260
)

// Logo is a creditor's picture, as documents show it. It is for any number of documents.
type Logo struct {
	width, height int    // pixels
	content       []byte // red, green and blue of each, compressed
}

// ReadLogo returns the logo of a PNG or JPEG file, and the media type of the file. What is transparent becomes white. It fails with
// invalid_logo if the file is neither, is damaged, or has too many pixels.
func ReadLogo(file []byte) (*Logo, string, error) {
	size, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || format != "png" && format != "jpeg" {
		return nil, "", models.Invalid("invalid_logo", "logo", "must be a PNG or JPEG file")
	}
	if size.Width > MaxLogoWidth || size.Height > MaxLogoHeight || size.Width < 1 || size.Height < 1 {
		return nil, "", models.Invalid("invalid_logo", "logo", "is %d pixels wide and %d high, the most is %d and %d", size.Width, size.Height, MaxLogoWidth, MaxLogoHeight)
	}
	decoded, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, "", models.Invalid("invalid_logo", "logo", "is damaged: %v", err)
	}
	picture := image.NewRGBA(image.Rectangle{Max: decoded.Bounds().Size()})
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(picture, picture.Bounds(), decoded, decoded.Bounds().Min, draw.Over)
	width, height := printedSize(size.Width, size.Height)
	content, err := compressed(scaled(picture, width, height), compressor(zlib.BestCompression))
	if err != nil {
		return nil, "", err
	}
	return &Logo{width, height, content}, "image/" + format, nil
}

// printedSize returns how many pixels of a logo are printed: as many as it has, or as its place has.
func printedSize(width, height int) (int, int) {
	if width > printedWidth {
		width, height = printedWidth, max(height*printedWidth/width, 1)
	}
	if height > printedHeight {
		width, height = max(width*printedHeight/height, 1), printedHeight
	}
	return width, height
}

// scaled returns the red, green and blue of each pixel of a picture that is made smaller: each is the mean of those that it stands for.
// It reckons in whole numbers, so every machine gets the same.
func scaled(p *image.RGBA, width, height int) []byte {
	from := p.Bounds().Size()
	made := make([]byte, 0, 3*width*height)
	for y := range height {
		top, bottom := y*from.Y/height, (y+1)*from.Y/height
		for x := range width {
			first, last := x*from.X/width, (x+1)*from.X/width
			var sum [3]int
			for row := top; row < bottom; row++ {
				for at := p.PixOffset(first, row); at < p.PixOffset(last, row); at += 4 {
					for i := range sum {
						sum[i] += int(p.Pix[at+i])
					}
				}
			}
			of := (bottom - top) * (last - first)
			for _, s := range sum {
				made = append(made, byte((s+of/2)/of))
			}
		}
	}
	return made
}

// place returns how wide and how high the logo is on a page.
func (l *Logo) place() (width, height float64) {
	width, height = logoWidth, logoWidth*float64(l.height)/float64(l.width)
	if height > logoHeight {
		width, height = logoHeight*float64(l.width)/float64(l.height), logoHeight
	}
	// A small picture is not blown up beyond 100 pixels an inch.
	if most := float64(l.width) / 100 * 25.4; width > most {
		width, height = most, height*most/width
	}
	return width, height
}

// drawLogo draws the document's logo in the corner of the page, and returns where the sender stands beside it.
func (d *document) drawLogo() (x, width float64) {
	if d.logo == nil {
		return left, senderWidth
	}
	wide, high := d.logo.place()
	d.draw("q")
	d.draw("cm", wide/mm, 0, 0, high/mm, left/mm, pageHeight-(logoTop+high)/mm)
	d.draw("/Logo Do Q")
	return left + wide + logoGap, senderWidth - wide - logoGap
}

// resources adds the logo to a file, and returns what a page with the logo names: the fonts, and the logo.
func (l *Logo) resources(f *pdfFile, fonts string) string {
	picture := f.stream(fmt.Sprintf("/Type /XObject\n/Subtype /Image\n/Width %d\n/Height %d\n/ColorSpace /DeviceRGB\n/BitsPerComponent 8\n/Filter /FlateDecode", l.width, l.height), l.content)
	return fmt.Sprintf("%s /XObject <</Logo %d 0 R>>", fonts, picture)
}
