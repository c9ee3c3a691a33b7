package models

import (
	"cmp"
	"slices"
	"strings"
)

// ShipmentMethod is a way of sending: how a document leaves, or what the debt collector or the bank gets. What there is to know of one stands in
// its row of the table below. Whoever needs some of them ranges over that, so that a new one is missed nowhere.
type ShipmentMethod string

// The methods.
const (
	ByPaper ShipmentMethod = "PAPER"
	ByEmail ShipmentMethod = "EMAIL"
	ByEHF   ShipmentMethod = "EHF" // an electronic document over Peppol (rule H1)
	// ByEFaktura is an invoice to a consumer's bank, by an operator (rule E20).
	ByEFaktura ShipmentMethod = "EFAKTURA"
	// Auto is asked for, and never sent by: the worker decides by which method the document goes (see Shipment.Decide).
	Auto ShipmentMethod = "AUTO"
	// Bundles is no shipment's method: the way of collection bundles to the debt collector.
	Bundles ShipmentMethod = "COLLECTION"
	// Claims is no shipment's method either: the way of files of claims of AvtaleGiro to the bank (rule G3).
	Claims ShipmentMethod = "AVTALEGIRO"
)

// method is a row of the table of methods.
type method struct {
	name     ShipmentMethod
	inWords  string                                           // as events call it
	channel  bool                                             // shipments are handed over by it
	ask      bool                                             // a request may ask for it
	wayOut   bool                                             // it has a way out, which may be a real one
	copies   bool                                             // copies go by it too
	letter   bool                                             // it is held while letters to the customer are held, and holds further ones if it comes back (rule S1b)
	batches  bool                                             // a print shop takes what goes by it in batches (rule S4a)
	begins   bool                                             // a fallback may begin with it (rule S2a)
	set      bool                                             // without its setting nothing goes by it: no folder takes its place
	only     DocumentKind                                     // the one kind that goes by it, and only its originals; empty for all
	needs    []need                                           // of the recipient or the invoice
	creditor func(c Creditor, sender string) (missing string) // what it needs of the creditor, by its element; nil needs nothing
	to       func(Recipient) Recipient                        // what it uses of a recipient besides the name; nil uses all
	address  func(Recipient) string                           // where it goes to, in one line; nil shows the street
	identity func(Recipient) string                           // what tells its recipients apart; nil goes by the street
}

// need is what a method cannot do without.
type need struct {
	Lack
	met func(c Creditor, r Recipient, o Order) bool
}

// Lack is an element that a method needs and that is empty.
type Lack struct{ Element, Code, Msg string }

// OfCreditor reports whether it is the creditor that lacks the element, so that no element of the request can bring it.
func (l Lack) OfCreditor() bool { return l == needsAccount.Lack }

func lacks(element, code, msg string) Lack { return Lack{element, code, msg} }

// What methods need of a recipient or an invoice's references (rules D16, H1).
var (
	needsEmail = need{
		lacks("email", "email_required", "delivery by EMAIL needs a customer with an e-mail address"),
		func(_ Creditor, r Recipient, _ Order) bool { return r.Email != "" },
	}
	needsOrganisation = need{
		lacks("organisation_number", "organisation_number_required", "delivery by EHF needs a customer with an organisation number"),
		func(_ Creditor, r Recipient, _ Order) bool { return r.OrganisationNumber != "" },
	}
	needsReference = need{
		lacks("your_reference", "reference_required", "delivery by EHF needs your_reference, order_number or the creditor's ehf_default_reference"),
		func(c Creditor, _ Recipient, o Order) bool {
			return o.YourReference+o.OrderNumber+c.EHFDefaultReference != ""
		},
	}
)

// needsAccount is what an operator of eFaktura needs to know of an invoice besides its KID, which each has (rule E20).
var needsAccount = need{
	lacks("bank_account", "bank_account_required", "delivery by EFAKTURA needs the creditor's bank_account"),
	func(c Creditor, _ Recipient, _ Order) bool { return c.BankAccount != "" },
}

// methods is the table, in the order in which methods are listed. Locks on ways out are taken in this order.
var methods = []method{
	{
		name: ByPaper, inWords: "on paper", channel: true, ask: true, wayOut: true, letter: true, batches: true,
		to: func(r Recipient) Recipient { r.Email, r.Phone, r.OrganisationNumber = "", "", ""; return r },
	},
	{
		name: ByEmail, inWords: "by e-mail", channel: true, ask: true, wayOut: true, copies: true, begins: true,
		needs: []need{needsEmail}, creditor: func(c Creditor, sender string) string { return unset("email", c.Email+sender) },
		to:       func(r Recipient) Recipient { return Recipient{Email: r.Email} },
		address:  func(r Recipient) string { return r.Email },
		identity: func(r Recipient) string { return r.Email },
	},
	{
		name: ByEHF, inWords: "by EHF", channel: true, ask: true, wayOut: true, begins: true,
		needs: []need{needsOrganisation, needsReference}, creditor: func(c Creditor, _ string) string { return unset("organisation_number", c.OrganisationNumber) },
		to:       func(r Recipient) Recipient { return Recipient{OrganisationNumber: r.OrganisationNumber} },
		address:  func(r Recipient) string { return r.NetworkID() },
		identity: func(r Recipient) string { return cmp.Or(r.OrganisationNumber, r.Name1) },
	},
	{
		name: ByEFaktura, inWords: "as eFaktura", channel: true, ask: true, wayOut: true, begins: true, set: true, only: InvoiceDocument,
		needs:   []need{needsAccount},
		to:      func(r Recipient) Recipient { r.OrganisationNumber = ""; return r },
		address: func(r Recipient) string { return cmp.Or(r.Phone, r.Email, strings.Join(r.Lines(), ", ")) },
	},
	{name: Auto, inWords: "by the way that suits", ask: true},
	{name: Bundles, inWords: "to the debt collector", wayOut: true},
	{name: Claims, inWords: "to the bank, by AvtaleGiro", wayOut: true},
}

func unset(element, value string) string {
	if value == "" {
		return element
	}
	return ""
}

// row returns what there is to know of a method. One that is not in the table has no channel, and may not be asked for.
func (m ShipmentMethod) row() method {
	if i := slices.IndexFunc(methods, func(r method) bool { return r.name == m }); i >= 0 {
		return methods[i]
	}
	return method{}
}

// which returns the methods of the rows that are taken.
func which(take func(method) bool) (found []ShipmentMethod) {
	for _, r := range methods {
		if take(r) {
			found = append(found, r.name)
		}
	}
	return slices.Clip(found)
}

var (
	// ShipmentMethods are those by which shipments are handed over: each has a channel.
	ShipmentMethods = which(func(r method) bool { return r.channel })
	// MethodsToAsk are those that a request may ask for: the channels, and that purr decides. Each shipment has one of them.
	MethodsToAsk = which(func(r method) bool { return r.ask })
	// WayMethods are those that have a way out.
	WayMethods = which(func(r method) bool { return r.wayOut })
	// BatchMethods are those whose shipments a print shop takes in batches.
	BatchMethods = which(func(r method) bool { return r.batches })
	// SingleMethods are the others of MethodsToAsk: their shipments leave one by one wherever they go.
	SingleMethods = which(func(r method) bool { return r.ask && !r.batches })
	// DuplicateMethods are those by which a person may have a document sent once more (rule N4).
	DuplicateMethods = which(func(r method) bool { return r.copies || r.letter })
)

// OneByOne returns the methods whose shipments are taken one by one: all that are asked for, without those that leave in batches if
// there is a print shop.
func OneByOne(shop bool) []ShipmentMethod {
	if shop {
		return SingleMethods
	}
	return MethodsToAsk
}

// MayAsk reports whether a request may ask for the method: for a channel, or that purr decides.
func (m ShipmentMethod) MayAsk() bool { return m.row().ask }

// HasChannel reports whether shipments are handed over by the method.
func (m ShipmentMethod) HasChannel() bool { return m.row().channel }

// AskedFor returns the fault of who asks for a document of a kind by a method by which it does not go, or nil.
func (m ShipmentMethod) AskedFor(k DocumentKind) *Error {
	if !slices.Contains(k.MethodsToAsk(), m) {
		return Invalid("invalid_shipment_method", "shipment_method", "must be %s", Alternatives(k.MethodsToAsk()))
	}
	return nil
}

// MethodsToAsk returns those of MethodsToAsk by which the original of such a document can go.
func (k DocumentKind) MethodsToAsk() []ShipmentMethod {
	return which(func(r method) bool { return r.ask && r.name.Carries(k, Original) == nil })
}

// NeedsSetting reports whether nothing goes by the method unless it is set up: no folder takes the place of its way out (rule E20).
func (m ShipmentMethod) NeedsSetting() bool { return m.row().set }

// NotSetUp is the fault of who asks for a method that is not set up.
func (m ShipmentMethod) NotSetUp() *Error {
	return Invalid("not_set_up", "shipment_method", "%s is not set up here: see %s-url", m, m.Key())
}

// InWords returns the method as events call it, such as "on paper".
func (m ShipmentMethod) InWords() string { return m.row().inWords }

// Key returns the method as it is part of names: of folders, of settings, of texts in the console.
func (m ShipmentMethod) Key() string { return strings.ToLower(string(m)) }

// IsLetter reports whether a shipment by the method is a letter, which is held while the customer's letters are, and holds them if it
// comes back (rule S1b).
func (m ShipmentMethod) IsLetter() bool { return m.row().letter }

// Lacks returns what the method needs and a recipient or an invoice's references lack (rules D16, H1).
func (m ShipmentMethod) Lacks(c Creditor, r Recipient, o Order) (lacks []Lack) {
	for _, n := range m.row().needs {
		if !n.met(c, r, o) {
			lacks = append(lacks, n.Lack)
		}
	}
	return lacks
}

// LacksAddress returns the fault of a recipient to whom nothing that a person asks for can go by the method, or nil. email is the element
// in which an address of an e-mail is missed.
func (m ShipmentMethod) LacksAddress(to Recipient, email string) error {
	switch {
	case m == ByEmail && to.Email == "":
		return Invalid("email_required", email, "the customer has no e-mail address")
	case m.IsLetter() && !to.Addressed():
		return Invalid("address_required", "shipment_method", "delivery by PAPER needs a customer with an address")
	}
	return nil
}

// Carries returns nil if a shipment of a document's kind and of the role can go by the method, or the fault (rule S1a).
func (m ShipmentMethod) Carries(k DocumentKind, role Role) *Error {
	if role.ByWish() {
		return m.carriesDuplicate(k)
	}
	if only := m.row().only; only != "" && k != only && role == Original && k.OnlyBy() == "" {
		return Invalid("invalid_shipment_method", "shipment_method", "only an %s goes by %s", only, m)
	}
	if wrong := k.WrongBy(m); wrong != nil || role == Original || m.row().copies {
		return wrong
	}
	return Invalid("invalid_shipment_method", "shipment_method", "a copy is sent by %s", Alternatives(which(func(r method) bool { return r.copies })))
}

// carriesDuplicate does what Carries does for the document once more, which a person asks for (rule N4): it may go by other ways than the
// original. A statement is made anew instead.
func (m ShipmentMethod) carriesDuplicate(k DocumentKind) *Error {
	if r := m.row(); !k.OfAccount() && (r.copies || r.letter) {
		return nil
	}
	return Invalid("invalid_shipment_method", "shipment_method", "a copy is sent by %s", Alternatives(DuplicateMethods))
}

// Alternatives returns methods as "PAPER, EMAIL or EHF".
func Alternatives(ms []ShipmentMethod) string {
	var b strings.Builder
	for i, m := range ms {
		switch {
		case i == 0:
		case i == len(ms)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(m))
	}
	return b.String()
}

// To returns what the method uses of a recipient.
func (m ShipmentMethod) To(r Recipient) Recipient {
	r.CustomerNumber = ""
	if to := m.row().to; to != nil {
		used := to(r)
		used.Name1, used.Name2 = r.Name1, r.Name2
		return used
	}
	return r
}

// Address returns the address that a shipment by the method goes to, in one line: a mailbox, an identifier in the network, a street.
func (m ShipmentMethod) Address(r Recipient) string {
	if address := m.row().address; address != nil {
		return address(r)
	}
	return strings.Join(r.Lines(), ", ")
}

// Identity returns what tells a recipient by the method from others.
func (m ShipmentMethod) Identity(r Recipient) string {
	if identity := m.row().identity; identity != nil {
		return identity(r)
	}
	return r.Name1 + " " + r.Address1 + " " + r.PostalCode
}
