package conformance_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"testing"

	"purr/test/testkit/house"
)

// TestL19L24L28LettersOfOnesOwn has a creditor set the language, the length and the looks of its letters, and sends an invoice of 500 lines and
// a reminder on it to a customer without a language. What was issued before stays as it was.
func TestL19L24L28LettersOfOnesOwn(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		before := c.invoices(order{days: "0"})
		was := c.pdf(before)

		var logo bytes.Buffer
		if err := png.Encode(&logo, image.NewRGBA(image.Rect(0, 0, 400, 100))); err != nil {
			t.Fatal(err)
		}
		c.Put("/creditor", tag("creditor", tag("language", "en"), tag("max_lines", "500"), tag("footer_text", "Terms: example.no"))).Is(http.StatusOK)
		c.Put("/creditor/logo", logo.String(), house.ContentType("image/png")).Is(http.StatusOK)
		shown := c.Get("/creditor").Shown()
		shown.Shows("language en", "max_lines 500", "footer_text Terms: example.no")
		equal(t, "the logo as it was put", bytes.Equal(c.Get("/creditor/logo").Is(http.StatusOK).Body, logo.Bytes()), true)
		c.Put("/creditor", string(c.Get("/creditor").Body)).Is(http.StatusOK) // as it is

		var lines []string
		for n := range 501 {
			lines = append(lines, line(fmt.Sprintf("Hour %d", n+1), "100", "1", "HIGH"))
		}
		c.Post("/invoices", order{lines: lines}.xml()).Refused(422, "too_many_lines lines")
		long := c.invoices(order{lines: lines[:500], days: "0"})
		equal(t, "number of lines", len(long.All("lines/line")), 500)
		long.Shows("net_amount 50000.00", "gross_amount 62500.00")
		equal(t, "pictures of the long invoice", bytes.Count(c.pdf(long), []byte("/Subtype /Image")), 1)
		equal(t, "the earlier invoice is as it was", bytes.Equal(c.pdf(before), was), true)

		planned := c.invoices(order{}).URI() + "/payment_plan"
		c.Put(planned, tag("payment_plan", `<instalment due_date="2024-06-03" amount="1250.00"/>`)).Is(http.StatusOK)
		equal(t, "language of a plan", bytes.Contains(c.pdf(c.Get(planned).Shown()), []byte("/Lang (en)")), true)

		c.Get(long.URI()+"/overdue_notice_preview/pdf").Refused(409, "not_overdue")
		in.at(t, "2023-12-22 00:01")
		preview := c.Get(long.URI() + "/overdue_notice_preview/pdf").Is(http.StatusOK).Body
		equal(t, "title of the preview", bytes.Contains(preview, []byte("/Lang (en)")), true)
		equal(t, "notices after a preview", len(c.again(long).All("overdue_notices/overdue_notice")), 0)
		n := c.notices(long, notice(true, true, false))
		n.Shows("lines/line[1]/line_text Invoice amount 2023-12-08")

		c.Delete("/creditor/logo").Is(http.StatusNoContent)
		c.Get("/creditor/logo").Refused(404, "not_found")
		c.Put("/creditor", tag("creditor", tag("language"), tag("max_lines", "8"), tag("footer_text"))).Is(http.StatusOK)
		c.Post("/invoices", order{lines: lines[:9]}.xml()).Refused(422, "too_many_lines lines")
		equal(t, "pictures of a later invoice", bytes.Count(c.pdf(c.invoices(order{})), []byte("/Subtype /Image")), 0)
	})
}
