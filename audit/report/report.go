package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"purr/models"
)

// The classes of findings (rule U4).
const (
	Law   = "law"   // somebody was dunned or charged unlawfully
	Rule  = "rule"  // a rule of purr's was not kept
	Doubt = "doubt" // the law is silent, or may be read in two ways
)

// Finding is one finding, in words.
type Finding struct {
	Class    string        `json:"class"`
	Code     string        `json:"code"`
	Creditor Name          `json:"creditor,omitempty"`
	Customer Name          `json:"customer"`
	Invoice  Name          `json:"invoice"`
	Notice   Name          `json:"notice"`
	HandOver Name          `json:"hand_over,omitempty"`
	Rows     []string      `json:"rows"`
	Expected string        `json:"expected"`
	Found    string        `json:"found"`
	Back     models.Amount `json:"back"` // øre that were charged unlawfully, and stand or were paid
	Law      string        `json:"law"`  // the law or the rule
	Text     string        `json:"text"`
	Working  []string      `json:"working,omitempty"` // how what was expected was reckoned, a line a step
	Timeline []string      `json:"-"`                 // what happened on the invoice, oldest first; for documents
}

// Name is a number or a name. As JSON it is a number where it is one, written as numbers are.
type Name string

// MarshalJSON writes "10001" as 10001, "A-17" and "007" as texts, and no name as null.
func (n Name) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	if v, err := strconv.ParseInt(string(n), 10, 53); err == nil && strconv.FormatInt(v, 10) == string(n) {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Name) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = ""
		return nil
	}
	if len(text) > 0 && text[0] != '"' {
		*n = Name(text)
		return nil
	}
	return json.Unmarshal(text, (*string)(n))
}

// Counts is how much an audit looked at.
type Counts struct {
	Letters int `json:"letters"`
	Checks  int `json:"checks"`  // questions that were asked and answered
	Kinds   int `json:"kinds"`   // of questions
	Unknown int `json:"unknown"` // questions that nobody can answer
}

// Report is the answer of an audit (rule U12).
type Report struct {
	Counts

	Back      models.Amount     // of all findings
	ByClass   map[string]int    // findings
	Customers []Owed            // the most first
	Findings  iter.Seq[Finding] // each time the same; they are not all held at once
}

// Owed is what is to be paid back to a customer.
type Owed struct {
	Customer Name
	Back     models.Amount
	Findings int
}

// New returns a report of findings. It ranges over them once to sum them up; whoever writes them does so again.
func New(counts Counts, findings iter.Seq[Finding]) Report {
	r := Report{Counts: counts, ByClass: make(map[string]int), Findings: findings}
	at := make(map[Name]int)
	for f := range findings {
		r.ByClass[f.Class]++
		if f.Back == 0 {
			continue
		}
		r.Back += f.Back
		i, known := at[f.Customer]
		if !known {
			i = len(r.Customers)
			at[f.Customer] = i
			r.Customers = append(r.Customers, Owed{Customer: f.Customer})
		}
		r.Customers[i].Back += f.Back
		r.Customers[i].Findings++
	}
	slices.SortStableFunc(r.Customers, func(a, b Owed) int { return cmp.Or(cmp.Compare(b.Back, a.Back), cmp.Compare(a.Customer, b.Customer)) })
	return r
}

// Unlawful reports whether there is a finding of law or rule: such an audit ends with exit code 1.
func (r Report) Unlawful() bool { return r.ByClass[Law]+r.ByClass[Rule] > 0 }

// LastLine says in words what the audit came to.
func (r Report) LastLine() string {
	return fmt.Sprintf("%s, %s of %s, %d unknown: %s of law, %d of rule, %d of doubt; %s to be paid back to %s",
		counted(r.Letters, "letter"), counted(r.Checks, "check"), counted(r.Kinds, "kind"), r.Unknown,
		counted(r.ByClass[Law], "finding"), r.ByClass[Rule], r.ByClass[Doubt], r.Back, counted(len(r.Customers), "customer"))
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
