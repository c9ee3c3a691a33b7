package accounts

import (
	"fmt"
	"io"
	"os"

	"purr/models"
	"purr/store"
)

// head is what a form knows before the first voucher.
type head struct {
	creditor models.Creditor
	plan     models.AccountPlan
	days     store.Dates
	today    models.Date              // for the creditor
	software string                   // the version of the program
	draft    func() (*os.File, error) // a file for what is in the making
}

// writer writes a journal in a form, voucher by voucher. It gets the summary at the end, nil unless its form begins with it. The caller
// closes it, however it went.
type writer interface {
	voucher(v Voucher) error
	end(s *summary) error
	close()
}

// nothingToClose is embedded in writers that have nothing to close.
type nothingToClose struct{}

func (nothingToClose) close() {}

// form is what is known of a form.
type form struct {
	media, suffix string
	begin         func(to io.Writer, h head) (writer, error)
	summary       bool // it begins with what the journal comes to
}

// forms has a row for each of models.AccountForms.
var forms = map[models.AccountForm]form{
	models.FormCSV:             {"text/csv; charset=utf-8", "csv", newCSV, false},
	models.FormGBAT10:          {gbatMedia, "gbat10", gbat10For(""), false},
	models.FormGBAT10Tripletex: {gbatMedia, "gbat10", gbat10For("tripletex"), false},
	models.FormGBAT10Visma:     {gbatMedia, "gbat10", gbat10For("visma"), false},
	models.FormGBAT1024Seven:   {gbatMedia, "gbat10", gbat10For("24sevenoffice"), false},
	models.FormTripletex:       {"text/csv; charset=utf-8", "csv", newTripletex, false},
	models.FormSAFT:            {"application/xml; charset=utf-8", "xml", newSAFT, true},
}

// MediaType returns the media type of files of a form.
func MediaType(f models.AccountForm) string { return forms[f].media }

// FileName returns the name of an export's file in a form.
func FileName(e models.AccountExport, f models.AccountForm) string {
	return fmt.Sprintf("accounts-%d-%s-%s-%s.%s", e.Number, e.From, e.To, f, forms[f].suffix)
}
