package demo

import (
	"time"

	"purr/models"
)

// weeks is how many weeks pass. The plan counts days from the first Monday, which is day 0.
const weeks = 10

var policy = policyForm{Enabled: 1, FirstNoticeDays: 14, SecondNoticeDays: 14, MinimumBalance: 100_00}

// creditor is who sends the invoices. Names, numbers and accounts of the plan are made up.
var creditor = creditorForm{
	Name: "Pusheim Dyreklinikk AS", OrganisationNumber: "310079197", VATRegistered: 1,
	Address1: "Kattegata 9", PostalCode: "0178", PostalName: "Oslo", Email: "faktura@pusheim.example", BankAccount: "12345678903",
	VATRates: []vatRate{{models.VATLow, 1200, models.NewDate(2018, time.January, 1)}},
	Policy:   &policy,
}

// customer is one of the creditor's customers. One without an e-mail address gets letters.
type customer struct {
	name, address, postalCode, postalName, email string

	organisationNumber string // of a business
	account            string // that the customer pays from
}

// The customers, as the invoices of the plan name them.
const (
	kari = iota
	ola
	åse
	bjørn
	ingrid
	jørgen
	nora
	knut
	kafé
	rørlegger
	trykkeri
	borettslag
)

var customers = []customer{
	kari:       {"Kari Nordmann", "Storgata 14", "0184", "Oslo", "kari@nordmann.example", "", "97100771016"},
	ola:        {"Ola Bråten", "Fjellveien 3", "5019", "Bergen", "", "", "97101542029"},
	åse:        {"Åse Ødegård", "Østre gate 7", "7014", "Trondheim", "aase@odegard.example", "", "97102313031"},
	bjørn:      {"Bjørn Sætre", "Sjøgata 22", "9008", "Tromsø", "", "", "97103084044"},
	ingrid:     {"Ingrid Løvås", "Nygårdsgaten 51", "5008", "Bergen", "ingrid@lovas.example", "", "97103855059"},
	jørgen:     {"Jørgen Aas", "Kirkegata 2", "4006", "Stavanger", "jorgen@aas.example", "", "97104626061"},
	nora:       {"Nora Kjærstad", "Havnegata 11", "8006", "Bodø", "nora@kjaerstad.example", "", "97105397074"},
	knut:       {"Knut Eide", "Blåbærstien 40", "3915", "Porsgrunn", "", "", "97106168087"},
	kafé:       {"Fjordgløtt Kafé AS", "Strandkaien 5", "5013", "Bergen", "post@fjordglott.example", "310158380", "97106939091"},
	rørlegger:  {"Hålogaland Rør AS", "Industriveien 18", "8516", "Narvik", "", "310237574", "97107710101"},
	trykkeri:   {"Ærfugl Trykkeri ANS", "Øvregata 30", "9405", "Harstad", "faktura@aerfugl.example", "310316768", "97108481114"},
	borettslag: {"Nygård Borettslag", "Nygårdsveien 1", "1400", "Ski", "styret@nygard.example", "310395951", "97109252127"},
}

// method returns how the customer gets invoices.
func (c customer) method() models.ShipmentMethod {
	if c.email == "" {
		return models.ByPaper
	}
	return models.ByEmail
}

func (c customer) form() customerForm {
	return customerForm{
		Name1: c.name, Address1: c.address, PostalCode: c.postalCode, PostalName: c.postalName, Email: c.email, OrganisationNumber: c.organisationNumber,
	}
}

// goods are what the creditor sells.
type goods struct {
	text  string
	price string // for one, without VAT
	vat   models.VATName
}

var (
	consultation = goods{"Konsultasjon", "890.00", models.VATHigh}
	vaccine      = goods{"Vaksinering, katt", "512.80", models.VATHigh}
	teeth        = goods{"Tannrens, hund", "2450.00", models.VATHigh}
	surgery      = goods{"Operasjon med narkose", "7380.00", models.VATHigh}
	kennel       = goods{"Pensjonat, døgn", "312.50", models.VATHigh}
	lodging      = goods{"Overnatting for eier, natt", "790.00", models.VATLow}
	lunch        = goods{"Matpakke", "74.90", models.VATMedium}
	course       = goods{"Førstehjelpskurs", "1450.00", models.VATNone}
)

// item is an invoice line.
type item struct {
	goods goods
	count int
}

// order is an invoice to be issued.
type order struct {
	week  int // it goes out on the Monday of this week, from 0
	to    int // an index of customers
	days  int // until it is due
	items []item
}

// orders are all invoices. What follows names them by their place here, from 1, which is the order they are issued in.
var orders = []order{
	{0, kari, 14, []item{{consultation, 1}, {vaccine, 2}}},              // 1
	{0, ola, 14, []item{{teeth, 1}}},                                    // 2
	{0, åse, 10, []item{{surgery, 1}, {kennel, 4}}},                     // 3
	{0, bjørn, 14, []item{{teeth, 1}, {vaccine, 1}}},                    // 4
	{0, kafé, 30, []item{{course, 6}, {lunch, 6}}},                      // 5
	{0, rørlegger, 30, []item{{course, 4}, {lunch, 4}}},                 // 6
	{0, jørgen, 14, []item{{consultation, 1}, {kennel, 3}}},             // 7
	{0, nora, 14, []item{{vaccine, 3}}},                                 // 8
	{1, ingrid, 14, []item{{surgery, 1}, {lodging, 2}}},                 // 9
	{1, borettslag, 14, []item{{course, 8}}},                            // 10
	{1, kari, 14, []item{{kennel, 5}}},                                  // 11
	{1, ola, 14, []item{{surgery, 1}, {consultation, 2}}},               // 12
	{1, trykkeri, 30, []item{{course, 3}, {lunch, 3}}},                  // 13
	{1, åse, 14, []item{{consultation, 2}}},                             // 14
	{2, bjørn, 14, []item{{surgery, 1}, {kennel, 7}, {lodging, 1}}},     // 15
	{2, kafé, 30, []item{{consultation, 1}, {vaccine, 1}}},              // 16
	{2, jørgen, 14, []item{{vaccine, 2}}},                               // 17
	{2, borettslag, 14, []item{{course, 2}, {lunch, 2}}},                // 18
	{2, knut, 14, []item{{teeth, 1}, {consultation, 1}}},                // 19
	{3, nora, 14, []item{{kennel, 10}}},                                 // 20
	{3, rørlegger, 30, []item{{course, 5}, {lodging, 5}, {lunch, 10}}},  // 21
	{3, kari, 14, []item{{vaccine, 1}}},                                 // 22
	{3, trykkeri, 30, []item{{consultation, 1}}},                        // 23
	{3, ingrid, 14, []item{{consultation, 1}, {vaccine, 1}}},            // 24
	{4, ola, 14, []item{{vaccine, 2}}},                                  // 25
	{4, knut, 14, []item{{kennel, 14}, {lodging, 1}}},                   // 26
	{4, trykkeri, 30, []item{{course, 2}, {lunch, 2}}},                  // 27
	{4, borettslag, 10, []item{{course, 4}, {lunch, 12}}},               // 28
	{5, nora, 14, []item{{consultation, 1}}},                            // 29
	{5, kafé, 30, []item{{course, 1}, {lunch, 1}}},                      // 30
	{5, jørgen, 14, []item{{surgery, 1}}},                               // 31
	{5, kari, 14, []item{{teeth, 1}}},                                   // 32
	{6, knut, 14, []item{{consultation, 1}, {kennel, 2}}},               // 33
	{6, rørlegger, 30, []item{{consultation, 1}, {teeth, 1}}},           // 34
	{6, åse, 14, []item{{vaccine, 2}, {consultation, 1}}},               // 35
	{7, ingrid, 14, []item{{kennel, 6}}},                                // 36
	{7, borettslag, 30, []item{{course, 3}}},                            // 37
	{8, nora, 14, []item{{vaccine, 3}, {lunch, 2}}},                     // 38
	{8, trykkeri, 30, []item{{course, 2}}},                              // 39
	{9, kari, 14, []item{{consultation, 1}, {vaccine, 1}, {kennel, 1}}}, // 40
}

func (o order) form(to link) invoiceForm {
	f := invoiceForm{Days: o.days, Recipient: to, Shipments: []shipmentForm{{"original", customers[o.to].method()}}}
	for _, i := range o.items {
		f.Lines = append(f.Lines, lineForm{i.goods.text, i.goods.price, i.count, i.goods.vat})
	}
	return f
}
