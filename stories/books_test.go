package stories_test

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// books are all that the interface shows of a creditor in the end.
type books struct {
	invoices    []invoiceXML
	creditNotes []invoiceXML
	notices     []notice
	events      []eventXML
	runs        []runXML
	pdfs        map[string][]byte // by the document's name
}

// invoiceXML is an invoice or a credit note.
type invoiceXML struct {
	XMLName xml.Name
	document
	Status string `xml:"status,attr"`
	Due    string `xml:"due_date"`
	Ledger struct {
		Balance string     `xml:"balance,attr"`
		Entries []entryXML `xml:"ar_transaction"`
	} `xml:"ar_transactions"`
}

type entryXML struct {
	URI    string `xml:"uri,attr"`
	Date   string `xml:"transaction_date"`
	Amount string `xml:"amount"`
	Type   string `xml:"transaction_type"`
}

// notice is an overdue notice with its calculation.
type notice struct {
	noticeXML
	name      string // "Reminder 1 on invoice 1"
	invoice   int
	withdrawn bool
	sheet     sheetXML
}

type noticeXML struct {
	URI     string `xml:"uri,attr"`
	Issued  string `xml:"issue_date"`
	Due     string `xml:"due_date"`
	Gross   string `xml:"gross_amount"`
	Invoice struct {
		URI string `xml:"uri,attr"`
	} `xml:"related_invoice"`
}

type sheetXML struct {
	Charge struct {
		Amount       string `xml:"amount,attr"`
		Compensation string `xml:"compensation,attr"`
	} `xml:"overdue_charge"`
	Interest struct {
		Amount   string `xml:"amount,attr"`
		Segments []struct {
			Days      string `xml:"days,attr"`
			YearDays  string `xml:"year_days,attr"`
			Principal string `xml:"principal,attr"`
			Rate      string `xml:"rate,attr"`
		} `xml:"segment"`
	} `xml:"interest"`
}

type eventXML struct {
	ID      int    `xml:"id,attr"`
	At      string `xml:"at"`
	Type    string `xml:"type"`
	Subject int    `xml:"subject_id"`
	Text    string `xml:"text"`
	Invoice struct {
		URI string `xml:"uri,attr"`
	} `xml:"invoice"`
	number int // of the invoice, 0 where it is about none
}

type runsXML struct {
	Runs []runXML `xml:"dunning_run"`
}

type runXML struct {
	URI        string `xml:"uri,attr"`
	Date       string `xml:"date"`
	State      string `xml:"state"`
	CaughtUpBy string `xml:"caught_up_by"`
}

// everything is how many items of a list are asked for: more than any story has.
const everything = "?per_page=1000"

// books reads everything.
func (c *client) books(t *testing.T) books {
	t.Helper()
	b := books{pdfs: map[string][]byte{}, runs: read[runsXML](t, c.get(t, "/dunning_runs"+everything)).Runs}
	numbers := map[string]int{} // of invoices, by path
	for _, number := range slices.Sorted(maps.Keys(c.documents)) {
		uri := c.documents[number].URI
		d := read[invoiceXML](t, c.get(t, uri))
		b.pdfs[d.name()] = c.get(t, uri+"/pdf")
		if d.XMLName.Local == "credit_note" {
			b.creditNotes = append(b.creditNotes, d)
			continue
		}
		b.invoices = append(b.invoices, d)
		numbers[uri] = number
	}
	b.readEvents(t, c, numbers)
	b.readNotices(t, c, numbers)
	return b
}

// name is what a journal calls a document.
func (i invoiceXML) name() string {
	return fmt.Sprintf("%s %d", strings.ReplaceAll(i.XMLName.Local, "_", " "), i.Number)
}

// readEvents reads the events in order. Those of one moment are put in the order of the invoices, since several
// workers write them.
func (b *books) readEvents(t *testing.T, c *client, numbers map[string]int) {
	t.Helper()
	b.events = read[struct {
		Events []eventXML `xml:"event"`
	}](t, c.get(t, "/events"+everything)).Events
	for i, e := range b.events {
		b.events[i].number = numbers[below(e.Invoice.URI)]
	}
	slices.SortStableFunc(b.events, func(a, b eventXML) int {
		return cmp.Or(strings.Compare(a.At, b.At), cmp.Compare(a.number, b.number), cmp.Compare(a.ID, b.ID))
	})
}

// readNotices reads the notices in the order of their days and invoices. Their names are in the events.
func (b *books) readNotices(t *testing.T, c *client, numbers map[string]int) {
	t.Helper()
	listed := read[struct {
		Notices []noticeXML `xml:"overdue_notice"`
	}](t, c.get(t, "/overdue_notices"+everything)).Notices
	for _, item := range listed {
		uri := below(item.URI)
		n := notice{noticeXML: item, invoice: numbers[below(item.Invoice.URI)], sheet: read[sheetXML](t, c.get(t, uri+"/calculation"))}
		for _, e := range b.events {
			if uri != "/overdue_notice/"+strconv.Itoa(e.Subject) {
				continue
			}
			switch e.Type {
			case "overdue_notice.created":
				n.name, _, _ = strings.Cut(e.Text, ":")
			case "overdue_notice.withdrawn":
				n.withdrawn = true
			}
		}
		if n.withdrawn {
			n.name += ", withdrawn"
		}
		b.pdfs[n.name] = c.get(t, uri+"/pdf")
		b.notices = append(b.notices, n)
	}
	slices.SortStableFunc(b.notices, func(a, b notice) int {
		return cmp.Or(strings.Compare(a.Issued, b.Issued), cmp.Compare(a.invoice, b.invoice))
	})
}
