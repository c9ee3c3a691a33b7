package retries_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"purr/audit/asked"
	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/mailer/bounce"
	"purr/mailer/shipments"
	"purr/models"
	"purr/ocr"
	"purr/ocr/camt"
	"purr/ocr/unmatched"
	"purr/register"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

type ctx = context.Context

// act is something that changes the database. given prepares it, undisturbed.
type act struct {
	name  string
	given func(p *person)
	do    func(p *person) (string, error)
}

const (
	post, put, remove = http.MethodPost, http.MethodPut, http.MethodDelete

	newInvoice = `<invoice><num_due_days>14</num_due_days><recipient><name1>Kari</name1><address1>Gata 1</address1><postal_code>0155</postal_code>` +
		`<postal_name>Oslo</postal_name><email>kari@example.no</email></recipient>` + invoiceLines
	invoiceLines = `<lines><line><line_text>Kaffe</line_text><unit_price>100</unit_price><num_items>2</num_items><vat_rate>HIGH</vat_rate></line>` +
		`<line><line_text>Te</line_text><unit_price>50</unit_price><num_items>1</num_items><vat_rate>LOW</vat_rate></line></lines>` +
		`<shipments><shipment type="original"><shipment_method>EMAIL</shipment_method></shipment>` +
		`<shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>arkiv@example.no</email></recipient></shipment></shipments></invoice>`
)

// varying is what differs in the answers to two creditors: IDs in URIs, and what is drawn at random.
var varying = regexp.MustCompile(`/\d+|whsec_[^<]+|-\d+|_number>\d{7}<|API key \d+|event_id>\d+|evt_\d+|-R\d+`)

// redelivering is tried by itself: who has a delivery has numbered the events of all creditors.
var redelivering = act{"redelivering", delivery, ask(post, "/webhook_delivery/%d/redeliver", "<redeliver/>")}

// acts are all other acts, in groups that are tried at the same time.
var acts = [][]act{
	{
		{"issuing an invoice", nil, ask(post, "/invoices/", newInvoice)},
		{"issuing VAT that is in doubt", unsaid, ask(post, "/invoices/", newInvoice)},
		{"issuing to a customer", customer, ask(post, "/invoices/", `<invoice><num_due_days>14</num_due_days><recipient uri="http://example.com/api/v1/customer/{0}"/>`+invoiceLines)},
		{"issuing many", customer, issueMany},
		{"adopting an invoice", adopting, ask(post, "/adopted_invoices/", `<adopted_invoice><invoice_number>7</invoice_number><issue_date>2026-01-05</issue_date><due_date>2026-01-19</due_date><gross_amount>1000</gross_amount><balance>800</balance><kid>70000000078</kid><recipient uri="http://example.com/api/v1/customer/{0}"/><notices><notice><issue_date>2026-02-05</issue_date><due_date>2026-02-19</due_date><charge>35</charge></notice></notices></adopted_invoice>`)},
		{"telling a balance", adoptedInvoice, ask(put, "/adopted_invoice/%d", `<adopted_invoice><balance>300.00</balance></adopted_invoice>`)},
		{"crediting", paidInvoice, ask(post, "/invoice/%d/credit_notes/", `<credit_note><shipments><shipment type="original"><shipment_method>PAPER</shipment_method></shipment></shipments></credit_note>`)},
	}, {
		{"registering a payment", invoice, ask(post, "/invoice/%d/ar_transactions/", `<ar_transaction><amount>-100.00</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`)},
		{"registering a payment that came before a notice", reminded, ask(post, "/invoice/%d/ar_transactions/", `<ar_transaction><amount>-100.00</amount><transaction_date>2026-02-01</transaction_date></ar_transaction>`)},
		{"paying a credit note out", creditNote, ask(post, "/credit_note/%d/ar_transactions/", `<ar_transaction><amount>100.00</amount><transaction_date>2026-03-02</transaction_date></ar_transaction>`)},
		{"deleting a payment", payment, ask(remove, "/ar_transaction/%d", "")},
		{"deleting half of a move", movedCredit, ask(remove, "/ar_transaction/%d", "")},
		{"closing", overdue, ask(post, "/invoice/%d/close", `<close><reason>lost</reason></close>`)},
		{"what the debt collector tells", handedOver, ask(post, "/collection_reports", `<collection_reports><report invoice="1" state="paid" at="2026-03-02" amount="1" reference="a"/><report invoice="1" state="withdrawn" at="2026-03-02"/></collection_reports>`)},
		{"a claim that is closed unpaid", handedOver, ask(post, "/collection_reports", `<collection_reports><report invoice="1" state="closed_unpaid" at="2026-03-02"/></collection_reports>`)},
		{"reopening", handedOver, ask(post, "/invoice/%d/reopen", "")},
		{"handing over", overdue, ask(post, "/invoice/%d/debt_collection", `<debt_collection/>`)},
	}, {
		{"sending a copy", invoice, ask(post, "/invoice/%d/copy", `<copy><shipment_method>EMAIL</shipment_method><email>ny@example.no</email><save>1</save></copy>`)},
		{"holding an invoice", invoice, ask(put, "/invoice/%d/dunning_hold", `<dunning_hold><comment>x</comment></dunning_hold>`)},
		{"releasing an invoice", heldInvoice, ask(remove, "/invoice/%d/dunning_hold", "")},
		{"giving more time", invoice, ask(put, "/invoice/%d/more_time", `<more_time><until>2026-04-01</until><reason>x</reason><waive_interest>1</waive_interest><shipment_method>PAPER</shipment_method></more_time>`)},
		{"ending the time that was given", waitingInvoice, ask(remove, "/invoice/%d/more_time", "")},
		{"setting the day of an acknowledgement", invoice, ask(put, "/invoice/%d/acknowledged", `<acknowledged><date>2026-03-02</date></acknowledged>`)},
		{"removing the day of an acknowledgement", acknowledgedInvoice, ask(remove, "/invoice/%d/acknowledged", "")},
		{"making a payment plan", invoice, ask(put, "/invoice/%d/payment_plan", onePart)},
		{"replacing a payment plan", plannedInvoice, ask(put, "/invoice/%d/payment_plan", twoParts)},
		{"ending a payment plan", plannedInvoice, ask(remove, "/invoice/%d/payment_plan", "")},
		{"holding a customer", customer, ask(put, "/customer/%d/dunning_hold", `<dunning_hold><comment>x</comment></dunning_hold>`)},
		{"creating a customer", nil, ask(post, "/customers/", `<customer><name1>Ola</name1><address1>Gata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><email>ola@example.no</email><customer_number>7</customer_number></customer>`)},
		{"changing a customer", customer, ask(put, "/customer/%d", `<customer><name2>Bak</name2></customer>`)},
		{"forgetting a customer", customer, ask(post, "/customer/%d/forget", "")},
		{"settling a customer", creditedCustomer, ask(post, "/customer/%d/settle", "")},
		{"moving credit", overpaidInvoice, ask(post, "/invoice/%d/move_credit", `<move_credit><invoice uri="http://example.com/api/v1/invoice/{1}"/><amount>400.00</amount></move_credit>`)},
		{"ordering a repayment", creditedCustomer, ask(post, "/customer/%d/repayments/", newRepayment)},
		{"making a file of repayments", repayment, ask(post, "/repayment_files/", "")},
		{"paying a file of repayments", repaymentFile, ask(post, "/repayment_file/%d/paid", "")},
		{"taking back that a file is paid", paidRepayments, ask(remove, "/repayment_file/%d/paid", "")},
		{"withdrawing a file of repayments", repaymentFile, ask(remove, "/repayment_file/%d", "")},
		{"handing over to the accounts", invoice, func(p *person) (string, error) {
			return p.send(post, "/account_exports/", "<account_export><from>2026-02-01</from><to>2026-02-28</to></account_export>")
		}},
		{"asking for an audit", reminded, ask(post, "/audits/", "<audit/>")},
		{"putting right what an audit found", audited, ask(post, "/audit/%d/repay", "")},
		{"sending a statement", invoiced, ask(post, "/customer/%d/statement", `<statement><email>kari@example.no</email></statement>`)},
		{"deleting a customer", customer, ask(remove, "/customer/%d", "")},
		{"changing the creditor", nil, ask(put, "/creditor", `<creditor><address1>Torget 1</address1></creditor>`)},
		{"changing a creditor's ways", nil, ask(put, "/creditor/ways", `<creditor_ways><sender>faktura@kake.example</sender></creditor_ways>`)},
		{"setting a rule", nil, ask(put, "/dunning_rules", `<dunning_rule><kind>late_interest</kind><from>2027-01-01</from><value>11.75</value><source>FOR</source></dunning_rule>`)},
	}, {
		{"creating a webhook", nil, ask(post, "/webhooks/", newWebhook)},
		{"changing a webhook", webhook, ask(put, "/webhook/%d", `<webhook><url>https://shop.example.no/other</url></webhook>`)},
		{"renewing a secret", webhook, ask(post, "/webhook/%d/secret", "<secret/>")},
		{"deleting a webhook", webhook, ask(remove, "/webhook/%d", "")},
		{"an event for a webhook", webhook, ask(post, "/invoices/", newInvoice)},
		{"creating a creditor and a key", nil, newCreditor},
		{"revoking a key", nil, func(p *person) (string, error) {
			return "", p.operator.RevokeKey(p.t.Context(), p.creditor.Name, keyOf(p))
		}},
	}, {
		{"importing OCR", invoice, func(p *person) (string, error) { return p.send(post, "/payment_files/", string(ocrFile(p))) }},
	}, {
		{"importing OCR after a notice", reminded, func(p *person) (string, error) { return p.send(post, "/payment_files/", string(ocrFile(p))) }},
	}, {
		{"importing camt.054", invoice, importCamt},
		{"matching", unmatchedPayment, ask(post, "/unmatched_payment/%d/match", `<match><invoice uri="http://example.com/api/v1/invoice/{1}"/></match>`)},
		{"matching in parts", unmatchedPayment, ask(post, "/unmatched_payment/%d/match", `<match><invoice uri="http://example.com/api/v1/invoice/{1}" amount="1.00"/></match>`)},
		{"denying a payer", unmatchedPayment, func(p *person) (string, error) {
			i, err := p.db.Invoice(p.t.Context(), p.creditor.ID, p.ids[1])
			testkit.Must(p.t, err)
			return p.send(post, fmt.Sprintf("/unmatched_payment/%d/not_payer", p.ids[0]), fmt.Sprintf(`<not_payer><customer uri="/api/v1/customer/%d"/></not_payer>`, i.CustomerID))
		}},
		{"unmatching", matchedPayment, ask(post, "/unmatched_payment/%d/unmatch", "")},
		{"dismissing", unmatchedPayment, ask(post, "/unmatched_payment/%d/dismiss", `<dismiss><comment>x</comment></dismiss>`)},
		{"reopening a dismissed payment", dismissedPayment, ask(post, "/unmatched_payment/%d/reopen", "")},
		{"matching many", unmatchedPayment, func(p *person) (string, error) {
			choice := unmatched.Choice{PaymentID: p.ids[0], Invoices: []unmatched.Seen{{InvoiceID: p.ids[1], Balance: 1000_00}}}
			matched, left, err := unmatched.MatchEach(p.t.Context(), p.db, p.creditor, []unmatched.Choice{choice}, "a person")
			return fmt.Sprint(len(matched), len(left)), err
		}},
		{"finding likely payers", unmatchedPayment, func(p *person) (string, error) {
			return "", unmatched.FindLikelyPayers(p.t.Context(), p.db, p.creditor)
		}},
	}, {
		{"reminding", overdue, ask(post, "/invoice/%d/overdue_notices/", `<overdue_notice><add_overdue_charge>1</add_overdue_charge><add_interest>1</add_interest></overdue_notice>`)},
		{"a dunning run", twoOverdue, run(models.RunDunning)},
		{"a run that joins letters", joined, run(models.RunDunning)},
		{"a run that settles a plan and tells of a lapse", missed, run(models.RunDunning)},
		{"a run that moves credit and waives", leftovers, run(models.RunDunning)},
		{"a run by a person", nil, func(p *person) (string, error) {
			r, err := p.operator.RunDunning(p.t.Context(), p.creditor)
			return fmt.Sprint(len(r.Documents), r.HandOvers), err
		}},
	}, {
		{"a status run", overdue, run(models.RunStatus)},
		{"telling what a creditor lacks", incomplete, run(models.RunStatus)},
		{"a proof of the books", overdue, run(models.RunVerify)},
		{"confirming that no file comes", nil, inTx(func(p *person, tx *store.Tx) (any, error) {
			return dunning.ConfirmNone(p.t.Context(), tx, p.creditor, 0, "a person")
		})},
		{"drawing a PDF", invoice, func(p *person) (string, error) {
			pdf, err := p.documents.PDF(p.t.Context(), p.creditor.ID, models.Document{Kind: models.InvoiceDocument, ID: p.ids[0]})
			return string(pdf[:min(4, len(pdf))]), err
		}},
		{"making an EHF", toBusiness, func(p *person) (string, error) {
			made, err := p.documents.EHF(p.t.Context(), p.creditor.ID, models.Document{Kind: models.InvoiceDocument, ID: p.ids[0]})
			return string(made[:min(5, len(made))]), err
		}},
		{"making a bundle", handedOver, func(p *person) (string, error) {
			h, _, err := p.db.LastHandOver(p.t.Context(), p.ids[0])
			if err != nil {
				return "", err
			}
			f, err := p.collection.Bundle(p.t.Context(), h)
			return fmt.Sprint(len(f.Content) > 1000), err
		}},
	}, {
		{"taking a shipment", shipment, take},
		{"taking a load of shipments", twoShipments, inTx(func(p *person, tx *store.Tx) (any, error) {
			taken, err := shipments.TakeAll(p.t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, p.ids, "worker")
			return len(taken), err
		})},
		{"what came of a load is recorded", twoTaken, inTx(func(p *person, tx *store.Tx) (any, error) {
			of, err := tx.ShipmentsByID(p.t.Context(), p.ids)
			if err != nil {
				return nil, err
			}
			recorded, err := shipments.RecordAll(p.t.Context(), tx, []shipments.Outcome{
				{Taken: of[p.ids[0]], Receipt: "a receipt"}, {Taken: of[p.ids[1]], Untried: true},
			})
			return len(recorded), err
		})},
		{"a shipment is sent", takenShipment, record(nil)},
		{"a batch of letters is sent", invoice, batch(nil)},
		{"a batch of letters is given up", invoice, batch(errors.New("the print shop is away"))},
		{"a shipment waits", takenShipment, record(errors.New("the server is away"))},
		{"a shipment fails", takenShipment, record(models.Refuse(models.BlameRecipient, nil, "no such mailbox"))},
		{"a shipment is retried", failedShipment, func(p *person) (string, error) {
			return "", p.operator.RetryShipment(p.t.Context(), strconv.FormatInt(p.ids[0], 10), shipments.Again{})
		}},
	}, {
		{"a refused e-mail falls back to paper", takenBy(models.ByEmail), record(models.Refuse(models.BlameRecipient, nil, "no such mailbox"))},
		{"a channel accepts a shipment", takenShipment, taken(func(p *person, tx *store.Tx, s models.Shipment) (any, error) {
			s, err := shipments.RecordAccepted(p.t.Context(), tx, s, "job 7")
			return s.Receipt, err
		})},
		{"the way of a shipment is decided", takenBy(models.Auto), taken(func(p *person, tx *store.Tx, s models.Shipment) (any, error) {
			recorded, err := shipments.RecordAll(p.t.Context(), tx, []shipments.Outcome{{Taken: s, Decided: true, Way: models.ByEmail}})
			return len(recorded), err
		})},
		{"the network tells what a customer receives", takenBy(models.Auto), taken(func(p *person, tx *store.Tx, s models.Shipment) (any, error) {
			c, err := tx.CustomerOf(p.t.Context(), s.Document())
			if err != nil {
				return "", err
			}
			c, err = register.NoteReception(p.t.Context(), tx, c.CreditorID, c.ID, models.Reception{Invoice: models.ReceivesYes})
			return c.Reception.Invoice, err
		})},
	}, {
		{"a letter is sent by e-mail instead", failedShipment, ask(post, "/shipment/%d/retry", `<retry><email>kari@example.no</email></retry>`)},
		{"what failed for a customer goes again together", severalFailed, inTx(func(p *person, tx *store.Tx) (any, error) {
			failed := []shipments.Failed{{ID: p.ids[0]}, {ID: p.ids[1]}}
			sent, err := shipments.RetryAll(p.t.Context(), tx, p.creditor.ID, shipments.TogetherAgain{
				Failed: failed, Method: models.ByEmail, Email: "ny@example.no", Save: true, Actor: "a person",
			})
			return len(sent), err
		})},
		{"letters that came back go to another address", cameBack, inTx(func(p *person, tx *store.Tx) (any, error) {
			sent, err := shipments.RetryAll(p.t.Context(), tx, p.creditor.ID, shipments.TogetherAgain{Failed: []shipments.Failed{{ID: p.ids[0]}}, Actor: "a person"})
			return len(sent), err
		})},
		{"a letter comes back", failedShipment, func(p *person) (string, error) {
			s, err := p.operator.ReportShipment(p.t.Context(), strconv.FormatInt(p.ids[0], 10), "returned", "moved", nil)
			return string(s.State), err
		}},
		{"an e-mail bounces", sentEmail, func(p *person) (string, error) {
			s, err := p.plain.Shipment(p.t.Context(), p.ids[0])
			testkit.Must(p.t, err)
			key, err := p.plain.BounceKey(p.t.Context())
			testkit.Must(p.t, err)
			report := bounce.Report{Tags: []string{shipments.Tag(key, s)}, Recipients: []bounce.Recipient{{Action: "failed", Status: "5.1.1"}, {Action: "delayed"}}}
			told, err := shipments.Bounce(p.t.Context(), p.db, report, "a person")
			return fmt.Sprint(len(told)), err
		}},
		{"a letter is held", heldLetter, take},
		{"letters are released", customerOfHeldLetter, ask(remove, "/customer/%d/letters_held", "")},
		{"a reminder's letter leaves a day late", remindersLetter(rows.Today - 1), take},
		{"a reminder's letter fails", takenReminder, record(models.Refuse(models.BlameRecipient, nil, "no such mailbox"))},
		{"a reminder's letter fails after the hand-over", handedOverReminder, func(p *person) (string, error) {
			s, err := p.operator.ReportShipment(p.t.Context(), strconv.FormatInt(p.ids[0], 10), "failed", "", nil)
			return string(s.State), err
		}},
		{"the address is changed", customerOfHeldLetter, ask(put, "/customer/%d", `<customer><address1>Nygata 2</address1></customer>`)},
	},
}

const newWebhook = `<webhook><url>https://shop.example.no/purr</url></webhook>`

// inTx does an act of a job in one transaction.
func inTx(do func(p *person, tx *store.Tx) (any, error)) func(p *person) (string, error) {
	return func(p *person) (string, error) {
		var done any
		err := p.db.InTx(p.t.Context(), func(_ context.Context, tx *store.Tx) (err error) {
			done, err = do(p, tx)
			return err
		})
		return fmt.Sprint(done), err
	}
}

// take is what a worker does first with a shipment.
func take(p *person) (string, error) {
	return inTx(func(p *person, tx *store.Tx) (any, error) {
		taken, err := shipments.TakeAll(p.t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, p.ids[:1], "worker")
		if err != nil || len(taken) == 0 {
			return "none", err
		}
		return taken[0].Attempts, nil
	})(p)
}

func record(failure error) func(p *person) (string, error) {
	return inTx(func(p *person, tx *store.Tx) (any, error) {
		taken, err := tx.Shipment(p.t.Context(), p.ids[0])
		if err != nil {
			return nil, err
		}
		s, err := shipments.Record(p.t.Context(), tx, taken, "a receipt", failure)
		return s.State, err
	})
}

// taken does an act with a shipment that a worker has in hand.
func taken(do func(p *person, tx *store.Tx, s models.Shipment) (any, error)) func(p *person) (string, error) {
	return inTx(func(p *person, tx *store.Tx) (any, error) {
		s, err := tx.Shipment(p.t.Context(), p.ids[0])
		if err != nil {
			return nil, err
		}
		return do(p, tx, s)
	})
}

// toShop is a worker whose letters go to a print shop.
var toShop = shipments.Part{Ways: models.Ways{models.ByPaper: models.WaySFTP}}

// batch is what a worker does with letters for a print shop. The shop has them, unless there is a failure before its
// manifest leaves.
func batch(failure error) func(p *person) (string, error) {
	return func(p *person) (string, error) {
		var b models.LetterBatch
		var due int
		for _, step := range []func(p *person, tx *store.Tx) (any, error){
			func(p *person, tx *store.Tx) (_ any, err error) {
				b, _, err = shipments.TakeBatch(p.t.Context(), tx, toShop, p.creditor.ID, "worker")
				return nil, err
			},
			func(p *person, tx *store.Tx) (_ any, err error) {
				due, err = shipments.Gather(p.t.Context(), tx, toShop, shipments.SecondLook{Rules: law.Default()}, b, 10)
				return nil, err
			},
			func(p *person, tx *store.Tx) (any, error) {
				if failure != nil {
					return nil, nil //nolint:nilnil,nilerr // it is not sealed
				}
				return shipments.Seal(p.t.Context(), tx, b, func(letters []models.Shipment) (string, error) { return fmt.Sprint(len(letters)), nil })
			},
			func(p *person, tx *store.Tx) (any, error) {
				return shipments.RecordBatch(p.t.Context(), tx, b, failure)
			},
		} {
			if _, err := inTx(step)(p); err != nil {
				return "", err
			}
		}
		unsettled, err := p.db.UnsettledBatches(p.t.Context(), p.creditor.ID)
		if err != nil {
			return "", err
		}
		for _, b := range unsettled {
			err = errors.Join(err, shipments.Settle(p.t.Context(), p.db, b))
		}
		return fmt.Sprint(due, len(unsettled)), err
	}
}

func run(kind models.RunKind) func(p *person) (string, error) {
	return func(p *person) (string, error) {
		r, err := p.operator.Runs.Make(p.t.Context(), p.creditor.ID, kind, rows.Today)
		return fmt.Sprint(len(r.Documents), r.HandOvers, r.Waits), err
	}
}

func issueMany(p *person) (string, error) {
	order := billing.InvoiceRequest{NumDueDays: 14, Method: models.ByPaper, CustomerID: p.ids[0]}
	rows.Of(100_00)(&order)
	return inTx(func(p *person, tx *store.Tx) (any, error) {
		issued, err := billing.Issue(p.t.Context(), tx, p.creditor, []billing.InvoiceRequest{order, order, order})
		var numbers []int64
		for _, i := range issued {
			numbers = append(numbers, i.Invoice.Number)
		}
		return numbers, err
	})(p)
}

func newCreditor(p *person) (string, error) {
	c := models.NewCreditor("Another of " + p.creditor.Name)
	if err := p.operator.CreateCreditor(p.t.Context(), &c); err != nil {
		return "", err
	}
	if _, err := p.operator.CreateKey(p.t.Context(), c.Name, models.ScopeRead, "reader"); err != nil {
		return "", err
	}
	left, err := rowsOf(p.t.Context(), p.raw, p.tables, c)
	return anonymous(left, p.creditor), err
}

func keyOf(p *person) int64 {
	keys, err := p.plain.Keys(p.t.Context(), p.creditor.ID)
	testkit.Must(p.t, err)
	return keys[0].ID
}

// ocrFile pays the invoice, and something that nobody knows.
func ocrFile(p *person) []byte {
	i, err := p.plain.Invoice(p.t.Context(), p.creditor.ID, p.ids[0])
	testkit.Must(p.t, err)
	f := payments.FileOf(p.creditor.BankAccount, payments.Paid(i.KID, 100_00), payments.Paid("0000009991", 7_00))
	f.Number = fmt.Sprintf("%07d", p.creditor.ID)
	return f.Bytes(p.t)
}

func importFile(p *person, file []byte) (string, error) {
	f, err := p.importer.Import(p.t.Context(), bytes.NewReader(file), ocr.Source{OwnerID: p.creditor.ID, Filename: "file", Kind: "api"})
	return fmt.Sprint(f.State, f.LinesDone), err
}

func importCamt(p *person) (string, error) {
	i, err := p.plain.Invoice(p.t.Context(), p.creditor.ID, p.ids[0])
	testkit.Must(p.t, err)
	var b bytes.Buffer
	w := camt.NewWriter(&b)
	testkit.Must(p.t, w.StartMessage(camt.MessageHeader{Version: camt.Version02, ID: fmt.Sprint("M", p.creditor.ID), Created: rows.Today}))
	testkit.Must(p.t, w.StartNotification(camt.NotificationHeader{ID: "N", Created: rows.Today, Account: p.creditor.BankAccount}))
	entry := camt.EntryHeader{
		Reference: "1", BankReference: "B1", Status: camt.StatusBooked, Booked: rows.Today - 1, Value: rows.Today - 1, Direction: camt.Credit,
		Amount: 150_00, Currency: "NOK",
	}
	testkit.Must(p.t, w.Write(entry, camt.Payment{Amount: 100_00, KID: i.KID, BankReference: "P1"}, camt.Payment{Amount: 50_00, KID: "0000009991", BankReference: "P2"}))
	testkit.Must(p.t, w.Close())
	return importFile(p, b.Bytes())
}

// What is given before an act.

func customer(p *person) { p.ids = []int64{rows.Customer(p.t, p.plain, p.creditor).ID} }

func invoice(p *person) { p.ids = []int64{rows.Invoice(p.t, p.plain, p.creditor).ID} }

// adopting is a customer of a creditor whose series begins at 1000.
func adopting(p *person) {
	customer(p)
	p.creditor.FirstNumber = 1000
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		if err := tx.SetFirstNumber(p.t.Context(), p.creditor.ID, 1000); err != nil {
			return err
		}
		return tx.UpdateCreditor(p.t.Context(), &p.creditor)
	})
}

// adoptedInvoice is the number of an invoice of another system, of 1000.00, of which 800.00 is owed.
func adoptedInvoice(p *person) {
	adopting(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		today := p.creditor.BookingDay(tx.Now)
		made, err := billing.Adopt(p.t.Context(), tx, p.creditor.ID, []billing.Adoption{{
			CustomerID: p.ids[0], Number: 7, IssueDate: today - 60, DueDate: today - 46, Gross: 1000_00, Balance: 800_00, KID: "70000000078",
		}})
		if err != nil {
			return err
		}
		return made[0].Err
	})
	p.ids = []int64{7}
}

// invoiced is a customer who got an invoice.
func invoiced(p *person) { p.ids = []int64{rows.Invoice(p.t, p.plain, p.creditor).CustomerID} }

// toBusiness is an invoice that can go by EHF, with VAT that its EHF warns of.
func toBusiness(p *person) {
	business := rows.Customer(p.t, p.plain, p.creditor, func(c *models.Customer) { c.Recipient.OrganisationNumber = "987654325" })
	p.ids = []int64{rows.Invoice(p.t, p.plain, p.creditor, rows.To(business), func(o *billing.InvoiceRequest) {
		o.Order.YourReference, o.Lines[0].VAT = "Kari", models.VATLow
	}).ID}
}

func overdue(p *person) {
	p.ids = []int64{rows.Invoice(p.t, rows.On(p.plain, rows.Today-60), p.creditor).ID}
	rows.Send(p.t, p.plain, p.creditor)
}

func reminded(p *person) { remind(p, rows.Today) }

// audited is an audit that is done, which found a charge of no notice.
func audited(p *person) {
	overdue(p)
	invoice, err := p.plain.Invoice(p.t.Context(), p.creditor.ID, p.ids[0])
	testkit.Must(p.t, err)
	var a models.Audit
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		err := ledger.Post(p.t.Context(), tx, []models.Entry{{
			CreditorID: p.creditor.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryOverdueCharge, Amount: 3_00, TransactionDate: rows.Today,
		}}, "a person")
		if err == nil {
			a, err = asked.Start(p.t.Context(), tx, p.creditor.ID, asked.Request{Actor: "a person"})
		}
		return err
	})
	testkit.Must(p.t, asked.Do(p.t.Context(), p.plain, law.Default(), p.creditor.ID, a.ID))
	p.ids = []int64{a.ID}
}

// remind issues a reminder on a day, and returns it.
func remind(p *person, day models.Date) (n models.Notice) {
	overdue(p)
	rows.Write(p.t, rows.On(p.plain, day), func(tx *store.Tx) (err error) {
		n, err = dunning.IssueNotice(p.t.Context(), tx, law.Default(), p.creditor, p.ids[0], dunning.Request{AddFee: true, AddInterest: true})
		return err
	})
	return n
}

// remindersLetter is the letter of a reminder of a day, which has not left.
func remindersLetter(day models.Date) func(p *person) {
	return func(p *person) {
		of, err := p.plain.ShipmentsOf(p.t.Context(), models.Document{Kind: models.NoticeDocument, ID: remind(p, day).ID})
		testkit.Must(p.t, err)
		p.ids = []int64{of[0].ID}
	}
}

func takenReminder(p *person) {
	remindersLetter(rows.Today)(p)
	takeGiven(p)
}

// handedOverReminder is the letter of a reminder that left, on an invoice that was handed over since.
func handedOverReminder(p *person) {
	n := remind(p, rows.Today)
	rows.Send(p.t, p.plain, p.creditor)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := dunning.HandOverInvoice(p.t.Context(), tx, p.creditor, n.InvoiceID, "a person")
		return err
	})
	of, err := p.plain.ShipmentsOf(p.t.Context(), n.Document())
	testkit.Must(p.t, err)
	p.ids = []int64{of[0].ID}
}

func twoOverdue(p *person) {
	for range 2 {
		rows.Invoice(p.t, rows.On(p.plain, rows.Today-60), p.creditor)
	}
	rows.Send(p.t, p.plain, p.creditor)
}

func payment(p *person) {
	invoice(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		e, err := ledger.RegisterOnInvoice(p.t.Context(), tx, p.creditor.ID, p.ids[0], ledger.Payment{Amount: -400_00, Date: rows.Today}, rows.Today)
		p.ids = append([]int64{e.ID}, p.ids...)
		return err
	})
}

// sentEmail is the shipment of an e-mail that has left.
func sentEmail(p *person) {
	to := rows.Customer(p.t, p.plain, p.creditor, func(c *models.Customer) { c.Recipient.Email = "kari@example.no" })
	i := rows.Invoice(p.t, p.plain, p.creditor, rows.To(to), func(r *billing.InvoiceRequest) { r.Method = models.ByEmail })
	rows.Send(p.t, p.plain, p.creditor)
	of, err := p.plain.ShipmentsOf(p.t.Context(), i.Document())
	testkit.Must(p.t, err)
	p.ids = []int64{of[0].ID}
}

func paidInvoice(p *person) {
	payment(p)
	p.ids = p.ids[1:]
}

// creditedCustomer is a customer who has paid 400.00 too much on one invoice, and owes another.
func creditedCustomer(p *person) {
	customer(p)
	c := p.ids[0]
	overpaid := rows.Invoice(p.t, p.plain, p.creditor, rows.To(models.Customer{ID: c}))
	rows.Invoice(p.t, p.plain, p.creditor, rows.To(models.Customer{ID: c}))
	pay(p, overpaid.ID, 1400_00)
}

// overpaidInvoice is the overpaid invoice of such a customer, and the other one.
func overpaidInvoice(p *person) {
	creditedCustomer(p)
	open, err := p.plain.InvoicesWithBalance(p.t.Context(), p.creditor.ID, p.ids[0])
	testkit.Must(p.t, err)
	p.ids = []int64{open[0].ID, open[1].ID}
}

// Plans of the invoice of 1000.00 (rule L15).
const (
	onePart  = `<payment_plan><instalment due_date="2026-04-01" amount="1000.00"/></payment_plan>`
	twoParts = `<payment_plan><instalment due_date="2026-04-01" amount="400.00"/><instalment due_date="2026-05-01" amount="600.00"/></payment_plan>`
)

const newRepayment = `<repayment><amount>400.00</amount><account>15032080011</account></repayment>`

// repayment is one that waits, of a creditor with an account.
func repayment(p *person) {
	creditedCustomer(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		r, err := ledger.OrderRepayment(p.t.Context(), tx, p.creditor, p.ids[0], ledger.RepaymentOrder{Amount: 400_00, Account: "15032080011", Actor: "a person"})
		p.ids = []int64{r.ID}
		return err
	})
}

// repaymentFile is a file with that repayment.
func repaymentFile(p *person) {
	repayment(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		made, err := ledger.MakeRepaymentFile(p.t.Context(), tx, p.creditor.ID, rows.Today, "a person")
		p.ids = []int64{made.File.ID}
		return err
	})
}

// paidRepayments is such a file that the bank has paid.
func paidRepayments(p *person) {
	repaymentFile(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := ledger.PayRepaymentFile(p.t.Context(), tx, p.creditor.ID, p.ids[0], rows.Today, rows.Today, "a person")
		return err
	})
}

// movedCredit is the entry that took the credit away.
func movedCredit(p *person) {
	creditedCustomer(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		moves, err := ledger.MoveCredit(p.t.Context(), tx, p.creditor.ID, p.ids[0], rows.Today, "a person", nil)
		if err != nil {
			return err
		}
		entries, err := tx.EntriesOfInvoice(p.t.Context(), moves[0].From.InvoiceID)
		p.ids = []int64{entries[len(entries)-1].ID}
		return err
	})
}

// leftovers are free credit, an invoice of which only fee and interest are owed, and a customer without an address, of a
// creditor whose runs move credit and waive.
func leftovers(p *person) {
	creditedCustomer(p)
	c := p.creditor
	c.Policy.SettleCredit, c.Policy.Remainder = true, models.RemainderWaive
	reminded := rows.Invoice(p.t, rows.On(p.plain, rows.Today-60), c)
	nowhere := rows.Customer(p.t, p.plain, c, func(customer *models.Customer) { customer.Recipient.Address1 = "" })
	rows.Invoice(p.t, rows.On(p.plain, rows.Today-60), c, rows.To(nowhere))
	rows.Send(p.t, p.plain, c)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		if err := tx.UpdateCreditor(p.t.Context(), &c); err != nil {
			return err
		}
		_, err := dunning.IssueNotice(p.t.Context(), tx, law.Default(), c, reminded.ID, dunning.Request{AddFee: true, AddInterest: true})
		return err
	})
	pay(p, reminded.ID, 1000_00)
}

// joined are two overdue invoices of a customer, of a creditor whose runs join letters.
func joined(p *person) {
	c := p.creditor
	c.Policy.JointLetters = true
	rows.Write(p.t, p.plain, func(tx *store.Tx) error { return tx.UpdateCreditor(p.t.Context(), &c) })
	customer := rows.Customer(p.t, p.plain, c)
	for range 2 {
		rows.Invoice(p.t, rows.On(p.plain, rows.Today-60), c, rows.To(customer))
	}
	rows.Send(p.t, p.plain, c)
}

// missed is an invoice whose plan's instalment was missed, and which lapses within half a year.
func missed(p *person) {
	c := p.creditor
	i := rows.Invoice(p.t, rows.On(p.plain, rows.Today-1000), c)
	rows.Send(p.t, p.plain, c)
	rows.Write(p.t, rows.On(p.plain, rows.Today-990), func(tx *store.Tx) error {
		parts := models.PaymentPlanRequest{Instalments: models.Instalments{{DueDate: rows.Today - 960, Amount: i.Gross}}}
		_, err := dunning.MakePaymentPlan(p.t.Context(), tx, c, i.ID, parts, "a person")
		return err
	})
}

func pay(p *person, invoiceID int64, amount models.Amount) {
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(p.t.Context(), tx, p.creditor.ID, invoiceID, ledger.Payment{Amount: -amount, Date: rows.Today}, rows.Today)
		return err
	})
}

func creditNote(p *person) {
	paidInvoice(p)
	i, err := p.plain.Invoice(p.t.Context(), p.creditor.ID, p.ids[0])
	testkit.Must(p.t, err)
	p.ids = []int64{rows.CreditNote(p.t, p.plain, p.creditor, i).ID}
}

// unsaid makes the person a creditor of whom nobody has said whether it is registered for VAT.
func unsaid(p *person) {
	p.creditor.VATRegistered, p.creditor.VATKnown = false, false
	rows.Write(p.t, p.plain, func(tx *store.Tx) error { return tx.UpdateCreditor(p.t.Context(), &p.creditor) })
}

// incomplete makes the person a creditor that lacks what dunning needs.
func incomplete(p *person) {
	p.creditor.Address1 = ""
	rows.Write(p.t, p.plain, func(tx *store.Tx) error { return tx.UpdateCreditor(p.t.Context(), &p.creditor) })
}

func handedOver(p *person) {
	overdue(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := dunning.HandOverInvoice(p.t.Context(), tx, p.creditor, p.ids[0], "a person")
		return err
	})
}

func heldInvoice(p *person) {
	invoice(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := dunning.HoldInvoice(p.t.Context(), tx, p.creditor, p.ids[0], models.Hold{Held: true, Comment: "x"}, "a person")
		return err
	})
}

func waitingInvoice(p *person) {
	invoice(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		asked := models.MoreTimeRequest{Until: rows.Today + 20, Reason: "x", WaiveInterest: true, Method: models.ByPaper}
		_, err := dunning.GiveMoreTime(p.t.Context(), tx, p.creditor, p.ids[0], asked, "a person")
		return err
	})
}

func plannedInvoice(p *person) {
	invoice(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		parts := models.PaymentPlanRequest{Instalments: models.Instalments{{DueDate: rows.Today + 20, Amount: 1000_00}}}
		_, err := dunning.MakePaymentPlan(p.t.Context(), tx, p.creditor, p.ids[0], parts, "a person")
		return err
	})
}

func acknowledgedInvoice(p *person) {
	invoice(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := dunning.AcknowledgeInvoice(p.t.Context(), tx, p.creditor, p.ids[0], models.Acknowledgement{Date: rows.Today}, "a person")
		return err
	})
}

func webhook(p *person) {
	w := models.Webhook{CreditorID: p.creditor.ID, URL: "https://shop.example.no/purr", Enabled: true, Secret: "whsec_c2VjcmV0"}
	rows.Write(p.t, p.plain, func(tx *store.Tx) error { return register.CreateWebhook(p.t.Context(), tx, &w, "a person") })
	p.ids = []int64{w.ID}
}

// delivery is of an event to a webhook.
func delivery(p *person) {
	webhook(p)
	hook := p.ids[0]
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		return tx.Log(p.t.Context(), models.Event{CreditorID: p.creditor.ID, Type: models.EventLettersReleased, Text: "x"})
	})
	if err := p.plain.NumberEvents(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	owed, _, err := p.plain.WebhookDeliveries(p.t.Context(), p.creditor.ID, hook, nil, store.Page{Number: 1, Size: 1})
	if err != nil || len(owed) != 1 {
		p.t.Fatalf("there are %d deliveries, %v", len(owed), err)
	}
	p.ids = []int64{owed[0].ID}
}

func unmatchedPayment(p *person) {
	invoice(p)
	u := models.UnmatchedPayment{
		CreditorID: p.creditor.ID, LineKey: models.LineKey{1, byte(p.creditor.ID >> 8), byte(p.creditor.ID)}, Status: models.PaymentOpen, Amount: 100_00, TransactionDate: rows.Today, KID: "0000009991",
	}
	us := []models.UnmatchedPayment{u}
	rows.Write(p.t, p.plain, func(tx *store.Tx) error { return tx.CreateUnmatchedPayments(p.t.Context(), us) })
	p.ids = []int64{us[0].ID, p.ids[0]}
}

func matchedPayment(p *person) {
	unmatchedPayment(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := unmatched.Match(p.t.Context(), tx, p.creditor, p.ids[0], p.ids[1:], "a person")
		return err
	})
}

func dismissedPayment(p *person) {
	unmatchedPayment(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := unmatched.Dismiss(p.t.Context(), tx, p.creditor, p.ids[0], "sent back", "a person")
		return err
	})
}

func shipment(p *person) {
	invoice(p)
	of, err := p.plain.ShipmentsOf(p.t.Context(), models.Document{Kind: models.InvoiceDocument, ID: p.ids[0]})
	testkit.Must(p.t, err)
	p.ids = []int64{of[0].ID}
}

func twoShipments(p *person) {
	shipment(p)
	first := p.ids[0]
	shipment(p)
	p.ids = append(p.ids, first)
}

func twoTaken(p *person) {
	twoShipments(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := shipments.TakeAll(p.t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, p.ids, "worker")
		return err
	})
}

func takenShipment(p *person) {
	shipment(p)
	takeGiven(p)
}

// takenBy is a shipment by a method that a worker has in hand. Its customer falls back to paper.
func takenBy(method models.ShipmentMethod) func(p *person) {
	return func(p *person) {
		shipment(p)
		rows.Write(p.t, p.plain, func(tx *store.Tx) error {
			s, err := tx.LockShipment(p.t.Context(), p.ids[0])
			if err != nil {
				return err
			}
			c, err := tx.CustomerOf(p.t.Context(), s.Document())
			if err != nil {
				return err
			}
			s.Method, c.Fallback = method, "EMAIL>PAPER"
			return errors.Join(tx.UpdateShipment(p.t.Context(), s), tx.UpdateCustomer(p.t.Context(), &c))
		})
		takeGiven(p)
	}
}

func takeGiven(p *person) {
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		_, err := shipments.TakeAll(p.t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, p.ids[:1], "worker")
		return err
	})
}

func failedShipment(p *person) {
	takenShipment(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		taken, err := tx.Shipment(p.t.Context(), p.ids[0])
		if err != nil {
			return err
		}
		_, err = shipments.Record(p.t.Context(), tx, taken, "", models.Refuse(models.BlameRecipient, nil, "no such mailbox"))
		return err
	})
}

// severalFailed are two letters of one document that failed, by different ways.
func severalFailed(p *person) {
	failedShipment(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		first, err := tx.Shipment(p.t.Context(), p.ids[0])
		if err != nil {
			return err
		}
		more := []models.Shipment{models.NewShipment(first.CreditorID, first.Document(), models.Duplicate, models.ByPaper, first.Recipient)}
		if err := tx.CreateShipments(p.t.Context(), more); err != nil {
			return err
		}
		p.ids = []int64{first.ID, more[0].ID}
		more[0].State, more[0].Reason = models.ShipmentFailed, "out of paper"
		return tx.UpdateShipment(p.t.Context(), more[0])
	})
}

// returned is a letter that came back.
func returned(p *person) {
	failedShipment(p)
	_, err := shipments.Tell(p.t.Context(), p.plain, shipments.Told{
		Shipment: strconv.FormatInt(p.ids[0], 10), State: string(models.ShipmentReturned), At: rows.Start,
	}, "a person")
	testkit.Must(p.t, err)
}

// cameBack is a letter that came back, whose customer has another address by now.
func cameBack(p *person) {
	returned(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		s, err := tx.Shipment(p.t.Context(), p.ids[0])
		if err != nil {
			return err
		}
		c, err := tx.CustomerOf(p.t.Context(), s.Document())
		if err != nil {
			return err
		}
		c.Recipient.Address1 = "Nygata 2"
		return tx.UpdateCustomer(p.t.Context(), &c)
	})
}

// heldLetter is a letter that is owed again although it came back, as releases before rule N8 had it.
func heldLetter(p *person) {
	returned(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		s, err := tx.LockShipment(p.t.Context(), p.ids[0])
		if err != nil {
			return err
		}
		s.State, s.NextAttempt, s.Reason, s.ReportedAt = models.ShipmentOwed, tx.Common, "", nil
		return tx.UpdateShipment(p.t.Context(), s)
	})
}

func customerOfHeldLetter(p *person) {
	heldLetter(p)
	rows.Write(p.t, p.plain, func(tx *store.Tx) error {
		if _, err := shipments.TakeAll(p.t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, p.ids[:1], "worker"); err != nil {
			return err
		}
		s, err := tx.Shipment(p.t.Context(), p.ids[0])
		if err != nil {
			return err
		}
		c, err := tx.CustomerOf(p.t.Context(), s.Document())
		p.ids = []int64{c.ID}
		return err
	})
}
