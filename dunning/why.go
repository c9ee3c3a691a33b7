package dunning

// why says why a notice or a bundle is withdrawn: in a word for programs, and what more there is to say.
type why struct {
	reason, detail string
	mailed         bool // its letter was an e-mail
}

var (
	becauseClosed = why{reason: "closed"}
	becausePaid   = why{reason: "paid"}
)

// text returns the reason for a person.
func (w why) text() string {
	text := map[string]string{
		"closed": "the invoice is closed", "reopened": "the invoice is reopened", "paid": "paid meanwhile",
		"not_left": "its letter did not leave on " + w.detail, "letter_failed": "its letter failed",
		"left_late": "its letter left on " + w.detail + ", too late for its deadline", "invoice_not_left": "the invoice had not left",
		"letter_anew":       "its letter for several invoices is made anew without one of them",
		"email_gone":        "the customer has no e-mail address any more",
		"unlawful":          "an audit found that it was unlawful",
		"invoice_left_late": "the invoice left on " + w.detail + " only",
	}[w.reason]
	if w.mailed {
		text = "its e-mail failed"
	}
	if w.reason == "letter_failed" && w.detail != "" {
		text += ": " + w.detail
	}
	return text
}

// before returns the words for a notice whose letter has not left, for a person.
func (w why) before() string {
	if w.mailed {
		return ""
	}
	switch w.reason {
	case "left_late", "invoice_not_left", "invoice_left_late", "unlawful": // it has, or may have
		return ""
	}
	return " before it was sent"
}
