package accounts

import (
	"fmt"
	"io"

	"purr/models"
	"purr/store"
)

// head is what a form must know before the first voucher.
type head struct {
	creditor models.Creditor
	plan     models.AccountPlan
	days     store.Dates
}

// writer writes a journal in a form, voucher by voucher.
type writer interface {
	voucher(v Voucher) error
	end() error
}

// form is what is known of a form.
type form struct {
	media, suffix string
	begin         func(to io.Writer, h head) (writer, error)
}

// forms has a row for each of models.AccountForms.
var forms = map[models.AccountForm]form{
	models.FormCSV:             {"text/csv; charset=utf-8", "csv", newCSV},
	models.FormGBAT10:          {gbatMedia, "gbat10", gbat10For("")},
	models.FormGBAT10Tripletex: {gbatMedia, "gbat10", gbat10For("tripletex")},
	models.FormGBAT10Visma:     {gbatMedia, "gbat10", gbat10For("visma")},
	models.FormGBAT1024Seven:   {gbatMedia, "gbat10", gbat10For("24sevenoffice")},
	models.FormTripletex:       {"text/csv; charset=utf-8", "csv", newTripletex},
}

// MediaType returns the media type of files of a form.
func MediaType(f models.AccountForm) string { return forms[f].media }

// FileName returns the name of an export's file in a form.
func FileName(e models.AccountExport, f models.AccountForm) string {
	return fmt.Sprintf("accounts-%d-%s-%s-%s.%s", e.Number, e.From, e.To, f, forms[f].suffix)
}
