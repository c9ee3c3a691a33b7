package pdf

import (
	"strings"
	"testing"
	"time"

	"purr/models"
)

// auditSample is an audit with findings of each class.
func auditSample(language string) AuditInput {
	day := models.NewDate(2026, time.November, 29)
	return AuditInput{
		Creditor: shortInvoice(language).Creditor, Date: day, From: day - 330, To: day, Language: language,
		Counts:    []AuditCount{{"Letters", "6"}, {"Checks", "110"}},
		Customers: []AuditSum{{"Ola Hansen", 2, 73_97}, {"Fjord Bygg AS", 1, 38_00}},
		Findings: []AuditFinding{
			{
				Class: "law", Place: "Ola Hansen, 10002, P-4", Text: "The fee was 70.00; the most that could be charged was 35.00.", Law: "inkassoforskriften § 1-2", Back: 35_00,
				Working: []string{"700 / 20 = 35.00"}, Timeline: []string{"2025-11-03 invoice 4000.00", "2025-12-15 warning P-4: fee 70.00"},
			},
			{Class: "rule", Place: "Ola Hansen, 10002", Text: "The step before had not left.", Law: "L1", Back: 38_97},
			{Class: "doubt", Place: "Fjord Bygg AS, 10003", Text: strings.Repeat("The law is silent. ", 20), Law: "inkassoloven § 17"},
		},
		More:  7,
		Table: []AuditFigure{{"inkassosats", "700", "FOR-2002-12-13-1641 as amended", day - 3000}, {"inkassosats", "750", "FOR-2025-12-19-2709", day - 332}},
		Data:  []AuditFile{{"invoices.csv", strings.Repeat("0123456789abcdef", 4)}},
	}
}

// TestU5AnAuditOfManyFindings runs over pages, and each is whole.
func TestU5AnAuditOfManyFindings(t *testing.T) {
	t.Parallel()
	in := auditSample("en")
	for range 300 {
		in.Findings = append(in.Findings, in.Findings[0])
	}
	file, err := Audit(in)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(plain(t, file), "The fee was 70.00"); n != 301 {
		t.Errorf("%d findings stand on %d pages", n, pages(file))
	}
	in = AuditInput{Creditor: models.Creditor{Name: "Nobody"}, Date: 1}
	if file, err = Audit(in); err != nil || !strings.Contains(plain(t, file), "Ingenting er funnet.") {
		t.Errorf("an audit without findings: %v", err)
	}
}
