package collection

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"purr/dunning"
	"purr/models"
)

// MaxReportFile is the most bytes of a file of the debt collector's reports.
const MaxReportFile = 4 << 20

// ReportFile is a file of the debt collector's reports (rule C4), with the place of each.
type ReportFile struct {
	Reports []models.CollectorTold
	Lines   []int // of each report
}

// Where returns a fault of a list with the line of its report.
func (f ReportFile) Where(fault *models.Error) string {
	if len(fault.Place) > 0 && fault.Place[0].Nth > 0 && fault.Place[0].Nth <= len(f.Lines) {
		return fmt.Sprintf("line %d: %s", f.Lines[fault.Place[0].Nth-1], fault)
	}
	return fault.Error()
}

// ReadReportFile reads a file of reports in XML or CSV; which of them it is, its first sign says. What is not as rule C4 has it is refused
// with its line and column: an unknown name, text where none may be, a name twice.
func ReadReportFile(content []byte) (ReportFile, error) {
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	switch {
	case len(content) > MaxReportFile:
		return ReportFile{}, fmt.Errorf("the file is larger than %d MiB", MaxReportFile>>20)
	case !utf8.Valid(content):
		return ReportFile{}, errors.New("the file is not in UTF-8")
	case len(bytes.TrimSpace(content)) == 0:
		return ReportFile{}, errors.New("the file is empty")
	case bytes.HasPrefix(bytes.TrimSpace(content), []byte("<")):
		return readXML(content)
	}
	return readCSV(content)
}

// readXML reads <collection_reports><report …/></collection_reports>.
func readXML(content []byte) (f ReportFile, err error) {
	dec := xml.NewDecoder(bytes.NewReader(content))
	dec.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("the file must be in UTF-8, and not in %s", models.Foreign(charset, 40))
	}
	var open []string
	ended := false
	for {
		token, err := dec.Token()
		line, column := dec.InputPos()
		at := fmt.Sprintf("line %d, column %d", line, column)
		if errors.Is(err, io.EOF) && ended {
			return f, nil
		}
		if err != nil {
			return ReportFile{}, fmt.Errorf("%s: the file is no XML: %s", at, models.Foreign(err.Error(), 200))
		}
		switch t := token.(type) {
		case xml.Directive:
			return ReportFile{}, fmt.Errorf("%s: the file must have no document type", at)
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return ReportFile{}, fmt.Errorf("%s: there must be no text", at)
			}
		case xml.StartElement:
			switch place := strings.Join(append(open, t.Name.Local), "/"); {
			case ended, place != "collection_reports" && place != "collection_reports/report":
				return ReportFile{}, fmt.Errorf("%s: the element %s must not be here; the file is <collection_reports><report/>…</collection_reports>", at, models.Foreign(t.Name.Local, 40))
			case len(open) == 0 && len(t.Attr) > 0:
				return ReportFile{}, fmt.Errorf("%s: collection_reports has no attributes", at)
			case len(open) == 1:
				if err := f.add(t, line, at); err != nil {
					return ReportFile{}, err
				}
			}
			open = append(open, t.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
			ended = len(open) == 0
		}
	}
}

// add adds a report in XML.
func (f *ReportFile) add(e xml.StartElement, line int, at string) error {
	if len(f.Reports) == dunning.MaxCollectorReports {
		return fmt.Errorf("%s: the file has more than %d reports", at, dunning.MaxCollectorReports)
	}
	var told models.CollectorTold
	var seen []string
	for _, a := range e.Attr {
		word := told.Word(a.Name.Local)
		switch {
		case word == nil || a.Name.Space != "":
			return fmt.Errorf("%s: there is no attribute %s; there are %s", at, models.Foreign(a.Name.Local, 40), strings.Join(models.CollectorWords, ", "))
		case slices.Contains(seen, a.Name.Local):
			return fmt.Errorf("%s: the attribute %s is there twice", at, a.Name.Local)
		}
		*word, seen = a.Value, append(seen, a.Name.Local)
	}
	f.Reports, f.Lines = append(f.Reports, told), append(f.Lines, line)
	return nil
}

// readCSV reads a table whose first row names the columns, divided by semicolons, commas or tabs.
func readCSV(content []byte) (f ReportFile, err error) {
	first, _, _ := strings.Cut(string(content), "\n")
	in := csv.NewReader(bytes.NewReader(content))
	in.Comma, in.FieldsPerRecord = ';', -1
	for _, comma := range ",\t" {
		if strings.Count(first, string(comma)) > strings.Count(first, string(in.Comma)) {
			in.Comma = comma
		}
	}
	var names []string
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		if wrong, is := errors.AsType[*csv.ParseError](err); is {
			return ReportFile{}, fmt.Errorf("line %d, column %d: the file is no CSV: %w", wrong.Line, wrong.Column, wrong.Err)
		}
		if err != nil {
			return ReportFile{}, err
		}
		line, _ := in.FieldPos(0)
		if names == nil {
			if names, err = columns(in, fields); err != nil {
				return ReportFile{}, err
			}
			continue
		}
		if strings.TrimSpace(strings.Join(fields, "")) == "" {
			continue
		}
		if len(fields) > len(names) {
			_, column := in.FieldPos(len(names))
			return ReportFile{}, fmt.Errorf("line %d, column %d: the row has more fields than there are columns", line, column)
		}
		if len(f.Reports) == dunning.MaxCollectorReports {
			return ReportFile{}, fmt.Errorf("line %d: the file has more than %d reports", line, dunning.MaxCollectorReports)
		}
		var told models.CollectorTold
		for i, field := range fields {
			*told.Word(names[i]) = field
		}
		f.Reports, f.Lines = append(f.Reports, told), append(f.Lines, line)
	}
}

// columns reads the names of the columns.
func columns(in *csv.Reader, fields []string) (names []string, err error) {
	var none models.CollectorTold
	for i, name := range fields {
		line, column := in.FieldPos(i)
		name = strings.TrimSpace(name)
		switch {
		case none.Word(name) == nil:
			return nil, fmt.Errorf("line %d, column %d: there is no column %s; there are %s", line, column, models.Foreign(name, 40), strings.Join(models.CollectorWords, ", "))
		case slices.Contains(names, name):
			return nil, fmt.Errorf("line %d, column %d: the column %s is there twice", line, column, name)
		}
		names = append(names, name)
	}
	return names, nil
}
