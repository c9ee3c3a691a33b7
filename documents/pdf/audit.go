package pdf

import (
	"cmp"
	"fmt"
	"strconv"

	"purr/models"
)

// AuditInput is the answer of an audit with all that its PDF shows: what one hands to an inspector (rule U5).
type AuditInput struct {
	Creditor  models.Creditor // whose letters they are; of another system's letters only a name
	Date      models.Date     // on which the audit was made
	From, To  models.Date     // the letters' days, both inclusive; zero is no limit
	Language  string          // nb, nn, en; empty is nb
	Counts    []AuditCount    // how much was looked at, and what was found
	Customers []AuditSum      // what is to be paid back to whom, the most first
	Findings  []AuditFinding
	More      int // findings that are not shown, because there are too many for a document
	Table     []AuditFigure
	Data      []AuditFile // what was looked at
}

// AuditCount is one figure of an audit, with what it is.
type AuditCount struct{ What, Value string }

// AuditSum is what is to be paid back to a customer.
type AuditSum struct {
	Customer string
	Findings int
	Back     models.Amount
}

// AuditFinding is a finding with what happened on its invoice.
type AuditFinding struct {
	Class    string // law, rule or doubt
	Place    string // customer, invoice and notice
	Text     string
	Law      string
	Working  []string // how what was expected was reckoned
	Rows     []string // that the finding rests on
	Timeline []string // what happened on the invoice, oldest first
	Back     models.Amount
}

// AuditFigure is a figure of the law as it was used.
type AuditFigure struct {
	Kind, Value, Source string
	From                models.Date
}

// AuditFile is a file, or another set of data, that was looked at.
type AuditFile struct{ Name, SHA256 string }

// auditWords are the words of the answer of an audit in one language.
type auditWords struct {
	title, checked, none, back, findings, more, timeline, working, rows, table, data string
	classes                                                                          map[string]string
	kinds                                                                            map[string]string // of figures
}

var (
	auditBokmaal = auditWords{
		title: "Revisjon av brev", checked: "Hva som er kontrollert", none: "Ingenting er funnet.", back: "Tilbakebetales", findings: "Funn", more: "%d funn til står i CSV-filen.",
		timeline: "Hva som har skjedd:", working: "Slik er det regnet:", rows: "Radene som viser det:", table: "Satser og regler som er brukt", data: "Grunnlaget, med SHA-256",
		classes: map[string]string{"law": "Lovbrudd", "rule": "Regelbrudd", "doubt": "Tvil"},
		kinds: map[string]string{
			"late_interest": "Forsinkelsesrente, prosent",
			"inkassosats":   "Inkassosats, kroner",
			"fee_fraction":  "Gebyrets brøk av inkassosatsen",
			"fee_rounding":  "Avrunding av gebyret, kroner",
			"fee_2026":      "Gebyr etter loven av 2026, kroner",
			"compensation":  "Standardkompensasjon, kroner",
			"act":           "Inkassoloven som gjelder",
		},
	}
	auditNynorsk = auditWords{
		title: "Revisjon av brev", checked: "Kva som er kontrollert", none: "Ingenting er funne.", back: "Skal betalast tilbake", findings: "Funn", more: "%d funn til står i CSV-fila.",
		timeline: "Kva som har hendt:", working: "Slik er det rekna:", rows: "Radene som viser det:", table: "Satsar og reglar som er brukte", data: "Grunnlaget, med SHA-256",
		classes: map[string]string{"law": "Lovbrot", "rule": "Regelbrot", "doubt": "Tvil"},
		kinds: map[string]string{
			"late_interest": "Forseinkingsrente, prosent",
			"inkassosats":   "Inkassosats, kroner",
			"fee_fraction":  "Brøken av inkassosatsen i gebyret",
			"fee_rounding":  "Avrunding av gebyret, kroner",
			"fee_2026":      "Gebyr etter lova av 2026, kroner",
			"compensation":  "Standardkompensasjon, kroner",
			"act":           "Inkassolova som gjeld",
		},
	}
	auditEnglish = auditWords{
		title: "Audit of letters", checked: "What was checked", none: "Nothing was found.", back: "To be paid back", findings: "Findings", more: "%d more findings stand in the CSV file.",
		timeline: "What happened:", working: "How it was reckoned:", rows: "The rows that show it:", table: "Figures of the law that were used", data: "The data, with SHA-256",
		classes: map[string]string{"law": "Against the law", "rule": "Against a rule", "doubt": "Doubt"},
		kinds: map[string]string{
			"late_interest": "Late-payment interest, percent",
			"inkassosats":   "Inkassosats, kroner",
			"fee_fraction":  "The fee's fraction of the inkassosats",
			"fee_rounding":  "Rounding of the fee, kroner",
			"fee_2026":      "Fee under the act of 2026, kroner",
			"compensation":  "Standard compensation, kroner",
			"act":           "The act on debt collection",
		},
	}
)

func auditWordsOf(l *language) auditWords {
	switch l {
	case &nynorsk:
		return auditNynorsk
	case &english:
		return auditEnglish
	}
	return auditBokmaal
}

// Audit draws the answer of an audit.
func Audit(in AuditInput) ([]byte, error) {
	l := languageOf(in.Language)
	w := auditWordsOf(l)
	h := heading{creditor: in.Creditor, title: w.title, name: w.title + " " + l.day(in.Date), date: in.Date, language: l}
	return render(h, func(d *document) {
		d.letterhead(models.Recipient{}, fact{l.date, l.day(in.Date)}, fact{l.periodFrom, l.day(in.From)}, fact{l.periodTo, l.day(in.To)})
		d.y = addressTop + 10 // there is no address
		d.auditHeading(w.checked)
		for _, c := range in.Counts {
			d.auditRow("", c.What, c.Value, bodyStyle)
		}
		d.auditSums(w, in.Customers)
		d.auditHeading(w.findings)
		if len(in.Findings) == 0 {
			d.paragraph(w.none, bodyStyle)
		}
		for _, f := range in.Findings {
			d.auditFinding(w, f)
		}
		if in.More > 0 {
			d.paragraph(fmt.Sprintf(w.more, in.More), boldStyle)
		}
		d.auditTable(w, in)
	})
}

// auditHeading draws the title of a part, and keeps it with what follows.
func (d *document) auditHeading(title string) {
	d.need(6 * bodyStyle.leading())
	d.y += 4
	st := d.titles().sized(12)
	d.y += st.leading()
	d.text(left, d.y, title, st)
	d.y += 2
	d.rule(left, d.y, accent)
	d.y++
}

// auditRow draws a row of a narrow column, a text and a value on the right.
func (d *document) auditRow(first, text, value string, st style) {
	const narrow, values = 28.0, 34.0
	x := left
	if first != "" {
		x += narrow
	}
	lines := d.wrap(text, right-x-values-gap, st)
	d.need(float64(len(lines))*st.leading() + 2*padding)
	d.y += padding
	for i, line := range lines {
		d.y += st.leading()
		d.text(x, d.y, line, st)
		if i == 0 {
			d.text(left, d.y, first, d.fit(first, narrow-gap, st))
			d.textRight(right, d.y, values, value, st)
		}
	}
	d.y += padding
	d.rule(left, d.y+padding/2, hairline)
}

// auditSums draws what is to be paid back to whom.
func (d *document) auditSums(w auditWords, sums []AuditSum) {
	if len(sums) == 0 {
		return
	}
	d.auditHeading(w.back)
	var all models.Amount
	for _, s := range sums {
		d.auditRow("", s.Customer+" ("+strconv.Itoa(s.Findings)+")", d.language.money(s.Back), bodyStyle)
		all += s.Back
	}
	d.auditRow("", d.language.amount, d.language.money(all), boldStyle)
}

// auditFinding draws a finding: its class and place, the sentence with its law, how the sum came about, and what happened.
func (d *document) auditFinding(w auditWords, f AuditFinding) {
	back := ""
	if f.Back != 0 {
		back = d.language.money(f.Back)
	}
	st := boldStyle
	if f.Class == "law" {
		st.shade = warningShade
	}
	d.need(5 * bodyStyle.leading())
	d.y += 2
	d.auditRow("", w.classes[f.Class]+" · "+f.Place, back, st)
	d.paragraph(f.Text+" ("+f.Law+")", bodyStyle)
	d.auditList(w.working, f.Working)
	d.auditList(w.rows, f.Rows)
	d.auditList(w.timeline, f.Timeline)
}

func (d *document) auditList(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	d.need(2 * smallBodyStyle.leading())
	d.y += smallBodyStyle.leading()
	d.text(left, d.y, title, labelStyle)
	for _, text := range lines {
		for _, line := range d.wrap(text, right-left-4, smallBodyStyle) {
			d.need(smallBodyStyle.leading())
			d.y += smallBodyStyle.leading()
			d.text(left+4, d.y, line, smallBodyStyle)
		}
	}
	d.y += paragraphGap * smallBodyStyle.leading()
}

// auditTable draws the figures of the law as they were used, and what was looked at.
func (d *document) auditTable(w auditWords, in AuditInput) {
	if len(in.Table) > 0 {
		d.auditHeading(w.table)
	}
	kind := ""
	for _, f := range in.Table {
		if f.Kind != kind {
			kind = f.Kind
			d.auditRow("", cmp.Or(w.kinds[kind], kind), "", boldStyle.sized(smallBodyStyle.size))
		}
		d.auditRow(d.language.day(f.From), f.Source, f.Value, smallBodyStyle)
	}
	if len(in.Data) > 0 {
		d.auditHeading(w.data)
	}
	for _, f := range in.Data {
		d.auditRow("", f.Name, "", boldStyle.sized(smallBodyStyle.size))
		d.paragraph(f.SHA256, smallBodyStyle)
	}
}
