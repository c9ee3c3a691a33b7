package console_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// TestL19ALogoIsPutAndRemoved puts a picture, sees it, is told what is wrong with others, and removes it.
func TestL19ALogoIsPutAndRemoved(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	b.get("settings/creditor").says("Logo on letters")
	b.get("settings/logo").is(http.StatusOK).says("The letters have no logo.")
	b.get("settings/logo/file").is(http.StatusNotFound)
	b.putLogo("1", "none", "logo.svg", []byte("<svg/>")).is(http.StatusUnprocessableEntity).says("Must be a whole picture")
	b.putLogo("2", "none", "", nil).is(http.StatusUnprocessableEntity).says("Is required")
	b.putLogo("3", "none", "large.png", bytes.Repeat([]byte("x"), 300<<10)).is(http.StatusUnprocessableEntity).says("Is too large")
	b.putLogo("4", "none", "huge.png", bytes.Repeat([]byte("x"), 2<<20)).is(http.StatusRequestEntityTooLarge)
	var picture bytes.Buffer
	must(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 100))))
	once := b.get("settings/logo").once()
	b.putLogo(once, "none", "logo.png", picture.Bytes()).leads(b.base + "/settings/logo")
	b.putLogo(once, "none", "logo.png", picture.Bytes()).leads(b.base + "/settings/logo")
	b.get("settings/logo").says("New letters have the logo", "Remove the logo")
	if got := b.get("settings/logo/file").is(http.StatusOK); got.header.Get("Content-Type") != "image/png" || got.body != picture.String() {
		t.Errorf("the logo is %d bytes of %s", len(got.body), got.header.Get("Content-Type"))
	}
	b.putLogo("5", "none", "other.png", picture.Bytes()).is(http.StatusConflict).says("What was done last: ")
	b.post("settings/logo/remove", "once", b.get("settings/logo").once(), "seen", archive.Sum(picture.Bytes())).leads(b.base + "/settings/logo")
	b.get("settings/logo").says("The letters have no logo.")
}

// TestL24ANoticeIsShownBeforeItIsSent shows the PDFs that the form of a notice leads to. Of an invoice that nothing is owed on there is none.
func TestL24ANoticeIsShownBeforeItIsSent(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	i := rows.Invoice(t, b.db, b.creditor)
	rows.Send(t, b.db, b.creditor)
	b.get(fmt.Sprintf("invoices/%d/notice/pdf", i.Number)).is(http.StatusConflict)
	b.clock.Set(b.clock.Now().AddDate(0, 0, 40))
	b.signIn(b.key)
	page := b.get(fmt.Sprintf("invoices/%d/notice", i.Number)).says("Show the reminder as a PDF", "Show the debt-collection warning as a PDF")
	for _, path := range []string{"/notice/pdf", "/notice/pdf?warning=1"} {
		if !strings.Contains(page.body, path+`"`) {
			t.Errorf("the page does not lead to %s", path)
		}
		if got := b.get(fmt.Sprintf("invoices/%d%s", i.Number, path)).is(http.StatusOK); !strings.HasPrefix(got.body, "%PDF-") {
			t.Errorf("%s is %.20q", path, got.body)
		}
	}
}

// putLogo sends the form of the logo with a file.
func (b *browser) putLogo(once, seen, name string, content []byte) *shown {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(b.t, form.WriteField("once", once))
	must(b.t, form.WriteField("seen", seen))
	part, err := form.CreateFormFile("logo", name)
	must(b.t, err)
	_, err = part.Write(content)
	must(b.t, err)
	must(b.t, form.Close())
	return b.do(http.MethodPost, "settings/logo", body.String(), "Content-Type", form.FormDataContentType())
}
