package schema_test

import (
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/api/schema"
	"purr/mailer/webhook"
	"purr/models"
	"purr/test/testkit/validate"
)

func TestE9SchemasAreSchemas(t *testing.T) {
	t.Parallel()
	for name, xsd := range map[string][]byte{"answers": schema.Answers(), "requests": schema.Requests()} {
		t.Run(name, func(t *testing.T) {
			faults := validate.Faults(t, xsd, []string{`<test_clock><now>2026-03-02T12:00:00+01:00</now></test_clock>`})
			if faults[0] != "" {
				t.Error(faults[0])
			}
		})
	}
}

// parsed is what the tests read of a schema.
type parsed struct {
	Types []simpleType `xml:"simpleType"`
}

type simpleType struct {
	Name        string `xml:"name,attr"`
	Restriction struct {
		Values    []facet `xml:"enumeration"`
		Patterns  []facet `xml:"pattern"`
		MaxLength facet   `xml:"maxLength"`
		Least     facet   `xml:"minInclusive"`
		Most      facet   `xml:"maxInclusive"`
	} `xml:"restriction"`
}

type facet struct {
	Value string `xml:"value,attr"`
}

func parse(t *testing.T) map[string]simpleType {
	t.Helper()
	var p parsed
	if err := xml.Unmarshal(schema.Answers(), &p); err != nil {
		t.Fatal(err)
	}
	types := map[string]simpleType{}
	for _, s := range p.Types {
		types[s.Name] = s
	}
	return types
}

// enumerations are the types of models that the interface shows, each with the schema's type of the same values.
// Types that are not shown have none.
var enumerations = map[string]string{
	"Status": "InvoiceStatus", "EntryType": "EntryType", "EventType": "EventType", "VATName": "VATName", "VATExemption": "VATExemption", "UnmatchedReason": "UnmatchedReason", "Hint": "Hint",
	"FileState": "FileState", "ShipmentMethod": "ShipmentMethod", "WarningStep": "WarningStep", "Closing": "Closing", "DeliveryState": "DeliveryState",
	"BatchState": "", "Fallback": "", "Receives": "Receives", "Stage": "", "Scope": "", "DocumentKind": "", "ShipmentState": "ShipmentState", "RunKind": "", "RunState": "RunState", "RuleKind": "RuleKind",
	"HandOverState": "", "Preset": "", "HoldReason": "HoldReason", "CollectionState": "CollectionState", "CollectorFileState": "", "DirectKind": "", "Remainder": "Remainder",
	"AccountState": "", "AccountUseKind": "", "CreditorWork": "", "ThingKind": "", "Role": "", "Movement": "", "HitKind": "", "RemovalKind": "", "RepaymentState": "RepaymentStatus", "RepaymentFileState": "RepaymentFileStatus",
	"ClaimState": "ClaimState", "ClaimNotice": "ClaimNotice", "ClaimFileState": "", "AuditState": "AuditState", "FindingClass": "FindingClass",
	"SendingFault": "SendingFault", "StandstillKind": "StandstillKind", "PlanState": "PlanState", "AccountKind": "AccountKind", "SalesClass": "SalesClass", "AccountForm": "AccountForm",
}

// inside are values that the type does not show: a file that is under way is not listed, a shipment is never delayed, since that is a
// note of a report, and what goes to the debt collector or the bank is no shipment.
var inside = map[string][]string{
	"FileState": {"received", "importing"}, "ShipmentState": {string(models.ReportedDelayed)}, "ShipmentMethod": {string(models.Bundles), string(models.Claims)},
}

func TestE9SchemaHasTheEnumerationsOfModels(t *testing.T) {
	t.Parallel()
	types := parse(t)
	found := constants(t)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		shown, known := enumerations[name]
		if !known {
			t.Errorf("models.%s is not among the enumerations of this test: name the schema's, or none", name)
		}
		if shown == "" {
			continue
		}
		var got []string
		for _, v := range types[shown].Restriction.Values {
			got = append(got, v.Value)
		}
		want := slices.DeleteFunc(found[name], func(v string) bool { return slices.Contains(inside[name], v) })
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s has the values\n  %q\nmodels.%s\n  %q", shown, got, name, want)
		}
	}
	for name := range enumerations {
		if found[name] == nil {
			t.Errorf("there is no models.%s with values", name)
		}
	}
}

func TestE9SchemaHasTheEventsThatArePosted(t *testing.T) {
	t.Parallel()
	shown := parse(t)["PostedEventType"].Restriction.Values
	for _, name := range constants(t)["EventType"] {
		if got := slices.Contains(shown, facet{name}); got != models.EventType(name).Posted() {
			t.Errorf("%s is posted: %t", name, got)
		}
	}
	event := models.Event{
		ID: 17, At: time.Unix(1_775_000_000, 0), Type: models.EventPaymentReceived, InvoiceID: 3, CustomerID: 2, SubjectID: 9, Text: "æøå", Data: `{"a":"<"}`,
	}
	var bodies []string
	for _, base := range []string{"", "https://faktura.example.no/purr"} {
		body, err := webhook.Body(event, base, models.Creditor{TimeZone: "UTC"}, false)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	for i, fault := range validate.Faults(t, schema.Answers(), bodies) {
		if fault != "" {
			t.Errorf("%s%s", fault, bodies[i])
		}
	}
}

// constants returns the values of the exported string constants in models that have a type of their own, by
// the type. An empty one stands for no value.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	paths, err := filepath.Glob("../../models/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no models: %v", err)
	}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for spec := range ast.Preorder(file) {
			c, is := spec.(*ast.ValueSpec)
			if !is || len(c.Values) != 1 {
				continue
			}
			typ, typed := c.Type.(*ast.Ident)
			value, literal := c.Values[0].(*ast.BasicLit)
			if !typed || !literal || value.Kind != token.STRING || !c.Names[0].IsExported() {
				continue
			}
			if text, err := strconv.Unquote(value.Value); err == nil && text != "" {
				found[typ.Name] = append(found[typ.Name], text)
			}
		}
	}
	return found
}

func TestE9SchemaHasTheLimitsOfModels(t *testing.T) {
	t.Parallel()
	types := parse(t)
	for name, most := range map[string]int{
		"Name": models.MaxName, "Address": models.MaxAddress, "PostalCode": models.MaxPostalCode, "PostalName": models.MaxPostalName,
		"Email": models.MaxEmail, "CopyEmail": models.MaxEmail, "CustomerNumber": models.MaxCustomerNumber, "LineText": models.MaxLineText,
		"InvoiceNote": models.MaxInvoiceNote, "FooterText": models.MaxFooterText, "Reference": models.MaxReference, "Comment": models.MaxComment, "Description": models.MaxComment, "WebhookURL": models.MaxWebhookURL,
	} {
		if got := types[name].Restriction.MaxLength.Value; got != strconv.Itoa(most) {
			t.Errorf("%s has at most %q characters, want %d", name, got, most)
		}
	}
	for name, want := range map[string][2]string{
		"DueDays":    {"", strconv.Itoa(models.MaxDueDays)},
		"DaysToPay":  {strconv.Itoa(models.MinNoticeDays), ""},
		"PostalDays": {"0", strconv.Itoa(models.MaxPostalDays)},
		"PrintDays":  {"0", strconv.Itoa(models.MaxPrintDays)},
		"KIDLength":  {strconv.Itoa(models.MinKIDLength), strconv.Itoa(models.MaxKIDLength)},
		"AmountSent": {(-models.MaxAmount).String(), models.MaxAmount.String()},
	} {
		r := types[name].Restriction
		if got := [2]string{r.Least.Value, r.Most.Value}; got != want {
			t.Errorf("%s reaches from and to %q, want %q", name, got, want)
		}
	}
	lines := fmt.Sprintf(`<xs:element name="line" type="LineRequest" maxOccurs="%d"/>`, models.MostLines)
	if !strings.Contains(string(schema.Requests()), lines) {
		t.Errorf("there is no %s", lines)
	}
}

func TestE9SchemaHasTheCountriesOfModels(t *testing.T) {
	t.Parallel()
	var patterns []string
	for _, p := range parse(t)["CountryCode"].Restriction.Patterns {
		patterns = append(patterns, p.Value)
	}
	country := regexp.MustCompile("^(" + strings.Join(patterns, "|") + ")$")
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			if got := country.MatchString(code); got != models.ValidCountry(code) {
				t.Errorf("%s is a country: %t", code, got)
			}
		}
	}
}
