//go:build pictures

package console_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"purr/app/demo"
	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// demoDesk returns a desk in what the demo has left after its ten weeks.
func demoDesk(t *testing.T) *desk {
	t.Helper()
	in := house.Start(t, time.Date(2026, time.January, 5, 7, 0, 0, 0, time.UTC))
	first, err := in.App.FirstKey(t.Context())
	must(t, err)
	must(t, demo.Run(t.Context(), demo.Options{BaseURL: in.App.URL, Key: first, Out: io.Discard, Data: in.Config.Data}))
	d := &desk{in: in, creditor: "1", base: "/c/1", api: in.ClientWithKey(t, first)}
	return d.sit(t, models.ScopeAdmin)
}

// noFile are what a file's name is not made of.
var noFile = regexp.MustCompile(`[^a-z0-9]+`)

// TestGallery takes pictures of every page of the demo's world and of a town's, at the widths of a telephone, a desk and a wide desk, in
// light and in dark, into the folder that PURR_GALLERY names, of those that PURR_GALLERY_ONLY matches: what rule N14 asks to be looked at.
func TestGallery(t *testing.T) {
	folder := os.Getenv("PURR_GALLERY")
	if folder == "" {
		t.Fatal("PURR_GALLERY names no folder for the pictures: run \"make gallery GALLERY=folder\"")
	}
	only := regexp.MustCompile(os.Getenv("PURR_GALLERY_ONLY"))
	for world, open := range map[string]func(t *testing.T) *desk{
		"demo": demoDesk,
		"town": func(t *testing.T) *desk { t.Helper(); d, _ := town(t, models.ScopeAdmin); return d },
	} {
		t.Run(world, func(t *testing.T) {
			d, to := open(t), filepath.Join(folder, world)
			examples := d.crawl("").examples()
			d.Look(browser.Language("nb"))
			for _, v := range examples {
				name := strings.Trim(noFile.ReplaceAllString(strings.TrimPrefix(v.path, "/c/{creditor}/"), "-"), "-")
				if only.MatchString(name) {
					d.pictures(v.url, to, name)
				}
			}
			d.menuAndPrints(to)
		})
	}
}

// pictures takes the pictures of one page, and tells what is wider than there is room for.
func (d *desk) pictures(url, folder, name string) {
	d.T.Helper()
	for _, width := range []int64{390, 1280, 1920} {
		for mode, look := range map[string]browser.Look{"light": browser.Light, "dark": browser.Dark} {
			d.Look(look, browser.Size(width, 844))
			d.Visit(url)
			to := filepath.Join(folder, fmt.Sprintf("%d-%s", width, mode))
			must(d.T, os.MkdirAll(to, 0o750))
			d.Picture(filepath.Join(to, name+".png"), true)
		}
		if over := d.Overflow(); over > 0 {
			d.T.Errorf("%s at %d px is %d px wider than the window", url, width, over)
		}
		for _, wide := range browser.Evaluate[[]string](d.Page, tooWide) {
			d.T.Logf("%s at %d px: scrolls sideways: %s", url, width, wide)
		}
	}
}

// tooWide finds what is wider inside than it is.
const tooWide = `[...document.querySelectorAll(".scroll, pre")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText.slice(0, 60))`

// menuAndPrints takes a picture of a telephone's menu, and prints an invoice and two lists.
func (d *desk) menuAndPrints(folder string) {
	d.T.Helper()
	d.Look(browser.Light, browser.Size(390, 844))
	d.show("today")
	d.Find("button", "Meny").Click()
	d.Picture(filepath.Join(folder, "menu.png"), false)
	overdue := d.api.List("/invoices?status=overdue")
	if len(overdue) == 0 {
		d.T.Fatal("nothing is overdue")
	}
	d.Look(browser.Print, browser.Size(1280, 844))
	for name, path := range map[string]string{"invoice": "invoices/" + overdue[0].At("invoice_number"), "invoices": "invoices", "log": "log"} {
		d.show(path)
		d.PDF(filepath.Join(folder, name+".pdf"))
	}
}
