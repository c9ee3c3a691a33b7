package models

import (
	"slices"
	"strings"
	"time"
)

// Fallback says what is tried when a method is refused or bounces: methods in their order, such as EHF>EMAIL>PAPER. The
// empty one is the default (rule S2).
type Fallback string

// DefaultFallback is what counts where none is set: EHF falls back to e-mail, and e-mail to nothing. So does eFaktura (see After).
const DefaultFallback Fallback = "EHF>EMAIL"

func (f Fallback) methods() []ShipmentMethod {
	var all []ShipmentMethod
	for m := range strings.SplitSeq(string(f), ">") {
		all = append(all, ShipmentMethod(m))
	}
	return all
}

// valid reports whether the fallback is empty, or begins with EHF, EFAKTURA or EMAIL and names each method at most once (rule S2a).
func (f Fallback) valid() bool {
	if f == "" {
		return true
	}
	all := f.methods()
	for i, m := range all {
		if !m.HasChannel() || slices.Contains(all[:i], m) {
			return false
		}
	}
	return all[0].row().begins
}

// After returns the methods that are tried after one, in their order. A method that is not in the fallback falls back to
// nothing.
func (f Fallback) After(m ShipmentMethod) []ShipmentMethod {
	switch {
	case f != "":
	case m == ByEFaktura:
		return []ShipmentMethod{ByEmail}
	default:
		f = DefaultFallback
	}
	all := f.methods()
	i := slices.Index(all, m)
	if i < 0 {
		return nil
	}
	return all[i+1:]
}

func (es *Errors) fallback(f Fallback) {
	if !f.valid() {
		es.Add("invalid_fallback", "fallback", "must be methods such as EHF>EMAIL>PAPER: it begins with EHF, EFAKTURA or EMAIL, and names each one once")
	}
}

// Receives says whether a business receives a kind of document by EHF, as far as the network has told (rule H4).
type Receives string

// The answers of the network. The empty one says that it was not asked.
const (
	ReceivesYes     Receives = "yes"
	ReceivesNo      Receives = "no"
	ReceivesUnknown Receives = "unknown" // it could not be found out; it is asked again
)

// Reception is what the network has told of a business, kind by kind.
type Reception struct {
	OrganisationNumber string // of the business that was asked for
	Invoice            Receives
	CreditNote         Receives
	Reminder           Receives
	CheckedAt          *time.Time
}

// UnknownReception is what is known of a business that could not be asked about.
func UnknownReception(organisationNumber string) Reception {
	return Reception{OrganisationNumber: organisationNumber, Invoice: ReceivesUnknown, CreditNote: ReceivesUnknown, Reminder: ReceivesUnknown}
}

// ReceptionCounts is for how long an answer of the network counts.
const ReceptionCounts = 24 * time.Hour

// Of returns whether the business receives documents of a kind.
func (r Reception) Of(k DocumentKind) Receives {
	if receives := k.of().receives; receives != nil {
		return receives(r)
	}
	return ReceivesNo
}

// Known reports whether the network has told of the business with the organisation number, so that it need not be asked.
func (r Reception) Known(organisationNumber string, now time.Time) bool {
	return r.CheckedAt != nil && r.OrganisationNumber == organisationNumber && now.Before(r.CheckedAt.Add(ReceptionCounts)) &&
		r.Invoice != ReceivesUnknown
}

// LacksForEHF returns the fault without which a document could go by EHF, or nil: who sends it, who gets it, and a reference
// that the buyer knows it by (rule H1).
func LacksForEHF(c Creditor, r Recipient, o Order) *Error {
	if c.OrganisationNumber == "" {
		return Invalid("creditor_not_ready", "", "delivery by EHF needs the creditor's organisation_number")
	}
	lacks := ByEHF.Lacks(c, r, o)
	if len(lacks) == 0 {
		return nil
	}
	first := lacks[0]
	field := first.Element
	if field == needsOrganisation.Element {
		field = "recipient"
	}
	return Invalid(first.Code, field, "%s", first.Msg)
}

// MayTryEFaktura reports whether eFaktura is tried first with a shipment for which Auto was asked: the invoice itself, to a consumer
// (rule E20). A business gets what it got before.
func (s Shipment) MayTryEFaktura() bool {
	return s.Recipient.Person() && s.Role() == Original && ByEFaktura.Carries(s.DocumentKind, Original) == nil
}

// Decide returns the method by which a shipment goes for which Auto was asked (rule H4), and for which eFaktura is not tried: EHF if the
// recipient receives the document, else the first of AutoWithout that is possible. A courtesy goes by EHF or, by no method, not at all.
func (s Shipment) Decide(receives Receives) ShipmentMethod {
	switch {
	case receives == ReceivesYes:
		return ByEHF
	case s.Role() == Courtesy:
		return ""
	case s.Recipient.Email != "":
		return ByEmail
	}
	return ByPaper
}

// AutoWithout are the methods that purr decides on where the document goes by no network: e-mail where there is an address, else paper.
var AutoWithout = []ShipmentMethod{ByEmail, ByPaper}
