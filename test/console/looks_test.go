package console_test

import (
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/browser"
)

// TestN14TheFrameFits holds the side bar's names and the header of a telephone to one line, and every width to no more than the window.
func TestN14TheFrameFits(t *testing.T) {
	t.Parallel()
	d, _ := town(t, models.ScopeAdmin)
	for _, width := range []int64{320, 390, 1280, 1920} {
		d.Look(browser.Language("nb"), browser.Size(width, 844))
		for _, page := range []string{"today", "invoices", "money/open"} {
			d.show(page)
			if over := d.Overflow(); over > 0 {
				t.Errorf("%s is %d px too wide at %d px", page, over, width)
			}
			if width >= 1280 {
				if n := browser.Evaluate[int](d.Page, `[...document.querySelectorAll(".side li:not(.phone) span:not(.count)")].filter((s) => s.getClientRects().length !== 1).length`); n != 0 {
					t.Errorf("%s at %d px: %d names of the side bar are broken", page, width, n)
				}
				continue
			}
			if high := browser.Evaluate[int](d.Page, `document.querySelector("main").offsetTop`); high > 56 {
				t.Errorf("%s at %d px: the header is %d px high", page, width, high)
			}
			d.Find("button", "Meny").Click()
			if menu := browser.Evaluate[string](d.Page, `document.querySelector("#menu").innerText`); !strings.Contains(menu, "Fjord Rør AS\nKari · kan administrere") {
				t.Errorf("%s at %d px: the menu does not say whose key it is: %s", page, width, menu)
			}
		}
	}
}
