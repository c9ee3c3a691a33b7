package demo

import "purr/models"

// weeks is how many weeks pass. The plan counts days from the first Monday, which is day 0.
const weeks = 10

// What is told before things happen. Lines are at most 100 characters long.
const (
	creditorChapter = `The creditor. Overdue invoices are dunned by the program: a reminder 14 days after the due date, a
debt-collection warning 14 days after the reminder's, with the highest fee that the law allows and
interest at the legal rate. Less than 100.00 is left alone. Dunning does not wait for bank files
(require_payment_file 0): only two will come.`
	invoicesChapter = `Every Monday the invoices of the week go out. What is not paid in time turns up as overdue.`
	noticesChapter  = `The first reminders, which are letters: a fee and interest are posted with them, to be paid within
14 days. Whoever leaves the reminder too gets a debt-collection warning. A person hands over.`
	creditNoteChapter = `A course was cancelled. Its invoice, paid already, is credited: what was paid stays the customer's
until it is paid out.`
)

// fileChapters introduce the bank's files.
var fileChapters = []string{
	`The bank's first file, in OCR giro format: exact, partial, over- and double payments, and one that
nobody knows.`,
	`The bank's second file: payments with and without the reminder's fee, the credit paid out by a “-”
line, and strays.`,
}

// The creditor. All names, numbers and accounts of the plan are made up.
const (
	creditorName    = "Pusheim Dyreklinikk AS"
	creditorNumber  = "310079197"
	creditorAccount = "12345678903"
)

var creditor = xmlf(`<creditor>
	<name>%s</name><organisation_number>%s</organisation_number><vat_registered>1</vat_registered>
	<address1>Kattegata 9</address1><postal_code>0178</postal_code><postal_name>Oslo</postal_name>
	<email>faktura@pusheim.example</email><bank_account>%s</bank_account>
	<vat_rates><vat_rate name="LOW" percent="12" from="2018-01-01"/></vat_rates>
	<dunning_policy>
		<enabled>1</enabled><first_notice_days>14</first_notice_days><second_notice_days>14</second_notice_days>
		<minimum_balance>100.00</minimum_balance><require_payment_file>0</require_payment_file>
	</dunning_policy>
</creditor>`, creditorName, creditorNumber, creditorAccount)

// customer is one of the creditor's customers. One without an e-mail address gets letters.
type customer struct {
	name, address, postalCode, postalName, email string

	organisationNumber string // of a business
	account            string // that the customer pays from
}

// The customers, as the invoices of the plan name them.
const (
	kari, ola, åse, bjørn, ingrid, jørgen             = 0, 1, 2, 3, 4, 5
	nora, knut, kafé, rørlegger, trykkeri, borettslag = 6, 7, 8, 9, 10, 11
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

func (c customer) xml() xmlBody {
	return xmlf(`<customer><name1>%s</name1><address1>%s</address1><postal_code>%s</postal_code><postal_name>%s</postal_name>
		<email>%s</email><organisation_number>%s</organisation_number></customer>`,
		c.name, c.address, c.postalCode, c.postalName, c.email, c.organisationNumber)
}

// shipments asks for one document to be sent to the customer.
func (c customer) shipments() xmlBody {
	return xmlf(`<shipments><shipment type="original"><shipment_method>%s</shipment_method></shipment></shipments>`, string(c.method()))
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

func (o order) xml(to link) xmlBody {
	var lines xmlBody
	for _, i := range o.items {
		lines += xmlf(`<line><line_text>%s</line_text><unit_price>%s</unit_price><num_items>%d</num_items><vat_rate>%s</vat_rate></line>`,
			i.goods.text, i.goods.price, i.count, string(i.goods.vat))
	}
	return xmlf(`<invoice><num_due_days>%d</num_due_days><recipient uri="%s"/><lines>%s</lines>%s</invoice>`,
		o.days, to.URI, lines, customers[o.to].shipments())
}

// agenda returns all acts: each Monday the invoices of the week, and then the others in the order of the days.
func agenda() []act {
	var acts []act
	for week := range weeks {
		acts = append(acts, act{7 * week, invoiced(week)})
	}
	return append(acts,
		act{11, settled(2, "kontant i resepsjonen")},
		act{23, delivered(firstFile)},
		act{24, deliveredAgain},
		act{30, settled(8, "dobbeltbetaling tilbakeført")},
		act{36, credited(18, "Kurset ble avlyst")},
		act{39, settled(14, "kort i resepsjonen")},
		act{43, delivered(secondFile)},
		act{45, settled(32, "kort i resepsjonen")},
		act{46, settled(29, "kort i resepsjonen")},
		act{50, settled(15, "kort i resepsjonen")},
		act{53, settled(23, "nettbank, uten KID")},
		act{55, settled(33, "kort i resepsjonen")},
	)
}

// bankLine is a transaction of a bank file. It pays on an invoice, pays the credit note out, or names a KID or a text.
type bankLine struct {
	invoice int           // its place in orders, from 1
	amount  models.Amount // of an invoice 0 for all that is owed when the file is written
	extra   models.Amount // that is paid on top
	payout  bool
	kid     string
	text    string
}

// inFull pays all that is owed on each of the invoices.
func inFull(invoices ...int) []bankLine {
	lines := make([]bankLine, len(invoices))
	for i, nth := range invoices {
		lines[i].invoice = nth
	}
	return lines
}

// The two files that the bank delivers.
var (
	firstFile = append(inFull(1, 10, 11, 17, 18, 19),
		bankLine{invoice: 9, amount: 4_000_00},
		bankLine{invoice: 7, extra: 50_00},
		bankLine{invoice: 8},
		bankLine{invoice: 8},                        // the same twice
		bankLine{kid: "7000000013", amount: 749_00}, // that no invoice has
	)
	secondFile = append(inFull(4, 5, 6, 13, 16, 20, 22, 24, 25, 26), // of 4 with the reminder's fee and interest
		bankLine{invoice: 9, amount: 6_994_60},        // the rest of it, without the fee and interest
		bankLine{payout: true},                        // a "-" line
		bankLine{kid: "7000000110", amount: 1_180_00}, // with a wrong check digit
		bankLine{text: "Gave til kattene, hilsen Åse", amount: 500_00},
	)
)
