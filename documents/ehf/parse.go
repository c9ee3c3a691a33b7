package ehf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"purr/models"
)

// What a document may have at most. The files that are checked are anybody's.
const (
	MaxSize     = 32 << 20 // bytes; the PDFs inside are a third larger than outside
	maxElements = 200_000
	maxDepth    = 24
)

// Document is an invoice, a credit note or a reminder that was read.
type Document struct {
	root *element
	kind models.DocumentKind
	sums map[string]*big.Rat // what is taxed, by category and rate; nil until it is asked for
}

// NoDocument is the error of bytes that are no UBL invoice or credit note. It says why, for a person.
type NoDocument string

// Error returns why the bytes are no document.
func (e NoDocument) Error() string { return "no EHF document: " + string(e) }

// Parse reads a document. It fails with NoDocument if the bytes are none: no well-formed XML in UTF-8, with a document type
// declaration, another root, or larger than any document need be.
func Parse(data []byte) (*Document, error) {
	if len(data) > MaxSize {
		return nil, noDocument("it has more than %d MiB", MaxSize>>20)
	}
	root, err := readTree(xml.NewDecoder(strings.NewReader(string(data))))
	if err != nil {
		return nil, err
	}
	d := &Document{root: root, kind: models.InvoiceDocument}
	switch {
	case root.name == CreditNoteRoot:
		d.kind = models.CreditNoteDocument
	case root.name != InvoiceRoot:
		return nil, noDocument("its root element is %s, and not Invoice or CreditNote of UBL 2", root.name)
	case strings.Contains(root.value("cbc:CustomizationID"), "ehf:reminder"):
		d.kind = models.NoticeDocument
	}
	return d, nil
}

func noDocument(format string, args ...any) error { return NoDocument(fmt.Sprintf(format, args...)) }

// readTree reads the elements of a document, without comments and processing instructions.
func readTree(decoder *xml.Decoder) (*element, error) {
	type unfinished struct {
		*element
		text strings.Builder
	}
	var root *element
	var open []*unfinished
	for count := 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, noDocument("%s", models.Foreign(err.Error(), models.MaxReason))
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, noDocument("it has a document type declaration")
		case xml.StartElement:
			if count++; count > maxElements || len(open) >= maxDepth {
				return nil, noDocument("it has more than %d elements, or more than %d inside each other", maxElements, maxDepth)
			}
			e := startOf(t)
			switch {
			case len(open) > 0:
				open[len(open)-1].add(e)
			case root == nil:
				root = e
			default:
				return nil, noDocument("it has two root elements")
			}
			open = append(open, &unfinished{element: e})
		case xml.EndElement:
			last := open[len(open)-1]
			last.element.text = last.text.String()
			open = open[:len(open)-1]
		case xml.CharData:
			switch {
			case len(open) > 0:
				open[len(open)-1].text.Write(t)
			case strings.Trim(string(t), " \t\r\n\ufeff") != "":
				return nil, noDocument("it has text outside its root element")
			}
		}
	}
	if root == nil {
		return nil, noDocument("it is empty")
	}
	return root, nil
}

// startOf returns an element without its content. Its prefix follows from its namespace, whatever the document calls it.
func startOf(t xml.StartElement) *element {
	e := &element{name: t.Name.Local}
	switch t.Name.Space {
	case cbcNamespace:
		e.name = "cbc:" + t.Name.Local
	case cacNamespace:
		e.name = "cac:" + t.Name.Local
	case ublNamespace + t.Name.Local + "-2":
	default:
		e.name = fmt.Sprintf("{%s}%s", t.Name.Space, t.Name.Local)
	}
	for _, a := range t.Attr {
		if a.Name.Space == "" && a.Name.Local != "xmlns" {
			e.attributes = append(e.attributes, attribute{a.Name.Local, a.Value})
		}
	}
	return e
}
