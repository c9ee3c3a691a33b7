//go:build whole

package stories_test

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"regexp"
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

	Comment string `xml:"comment"`
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
	Issued    string `xml:"issue_date"`
	Due       string `xml:"due_date"`
	Gross     string `xml:"gross_amount"`
	Withdrawn string `xml:"withdrawn,attr"` // in no list, but it answers (rule L13a)
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
	Customer struct {
		URI string `xml:"uri,attr"`
	} `xml:"customer"`
	invoice int // which of the story's, 0 where it is about none
}

type eventsXML struct {
	Events []eventXML `xml:"event"`
}

type noticesXML struct {
	Notices []noticeXML `xml:"overdue_notice"`
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

// books reads everything that is about the story: all of its creditor where it has one of its own.
func (c *cast) books(t *testing.T, all bool) books {
	t.Helper()
	b := books{pdfs: map[string][]byte{}, runs: read[runsXML](t, c.get(t, "/dunning_runs"+everything)).Runs}
	for i, made := range c.documents {
		d := read[invoiceXML](t, c.get(t, made.URI))
		d.Number = i + 1
		b.pdfs[d.name()] = c.get(t, made.URI+"/pdf")
		if d.XMLName.Local == "credit_note" {
			b.creditNotes = append(b.creditNotes, d)
		} else {
			b.invoices = append(b.invoices, d)
		}
	}
	b.readEvents(t, c, all)
	b.readNotices(t, c)
	return b
}

// name is what a journal calls a document.
func (i invoiceXML) name() string {
	return fmt.Sprintf("%s %d", strings.ReplaceAll(i.XMLName.Local, "_", " "), i.Number)
}

// invoice returns which of the story's documents is at the uri, 0 for none.
func (c *cast) invoice(uri string) int {
	return 1 + slices.IndexFunc(c.documents, func(d document) bool { return d.URI == below(uri) })
}

// readEvents reads the events in order. Those of one moment are put in the order of the invoices, since several
// workers write them.
func (b *books) readEvents(t *testing.T, c *cast, all bool) {
	t.Helper()
	customers := slices.Collect(maps.Values(c.customers))
	for _, e := range read[eventsXML](t, c.get(t, "/events"+everything)).Events {
		e.invoice = c.invoice(e.Invoice.URI)
		if e.Type == "creditor.created" || e.Type == "key.created" { // the stage, not the story
			continue
		}
		if all || e.invoice > 0 || slices.Contains(customers, below(e.Customer.URI)) {
			e.Text = c.inStory(e.Text)
			b.events = append(b.events, e)
		}
	}
	slices.SortStableFunc(b.events, func(a, b eventXML) int {
		return cmp.Or(strings.Compare(a.At, b.At), cmp.Compare(a.invoice, b.invoice), cmp.Compare(a.ID, b.ID))
	})
}

// Numbers in the texts of events: those of documents, and those that say only who else was in the chapter.
var (
	documentNumber = regexp.MustCompile(`([Ii]nvoice[ -]|[Cc]redit note )(\d+)`)
	otherNumber    = regexp.MustCompile(`(API key|-hand-over-|Letter)( ?)\d+`) // two stories may get their letters in either order
	systemUser     = regexp.MustCompile(`command line \([^)]*\)`)              // whoever runs the test
)

// inStory puts the numbers that documents have in the story in the place of those that they have among the creditor's.
func (c *cast) inStory(text string) string {
	text = documentNumber.ReplaceAllStringFunc(text, func(found string) string {
		word, number := documentNumber.FindStringSubmatch(found)[1], documentNumber.FindStringSubmatch(found)[2]
		for i, d := range c.documents {
			if strconv.Itoa(d.Number) == number {
				return word + strconv.Itoa(i+1)
			}
		}
		return found
	})
	text = systemUser.ReplaceAllString(text, "the command line")
	return otherNumber.ReplaceAllString(text, "${1}${2}N")
}

// notices returns the notices of the creditor.
func (c *client) notices(t *testing.T) []noticeXML {
	t.Helper()
	return read[noticesXML](t, c.get(t, "/overdue_notices"+everything)).Notices
}

// readNotices reads the notices in the order of their days and invoices. Their names are in the events.
func (b *books) readNotices(t *testing.T, c *cast) {
	t.Helper()
	for _, e := range b.events {
		if e.Type != "overdue_notice.created" || e.invoice == 0 {
			continue
		}
		uri := "/overdue_notice/" + strconv.Itoa(e.Subject)
		n := notice{noticeXML: read[noticeXML](t, c.get(t, uri)), invoice: e.invoice, sheet: read[sheetXML](t, c.get(t, uri+"/calculation"))}
		n.name, _, _ = strings.Cut(e.Text, ":")
		if n.withdrawn = n.Withdrawn == "1"; n.withdrawn {
			n.name += ", withdrawn"
		}
		b.pdfs[n.name] = c.get(t, uri+"/pdf")
		b.notices = append(b.notices, n)
	}
	slices.SortStableFunc(b.notices, func(a, b notice) int {
		return cmp.Or(strings.Compare(a.Issued, b.Issued), cmp.Compare(a.invoice, b.invoice))
	})
}
