package api_test

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"purr/api"
)

// refused is what no XML can hold.
type refused struct{}

func (refused) MarshalXML(*xml.Encoder, xml.StartElement) error { return errors.New("refused") }

// TestD4DocumentsKeepTheirText writes short, long and failing documents one after the other, since they share their buffers: each
// has its own text, and keeps it.
func TestD4DocumentsKeepTheirText(t *testing.T) {
	type word struct {
		XMLName xml.Name `xml:"word"`
		Text    string   `xml:",chardata"`
	}
	var made []string
	var documents [][]byte
	for n := range 60 {
		text := strings.Repeat(string(rune('a'+n%26)), 1+n%10*n*n*4) // up to 121 kB
		document, err := api.Document(word{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		made, documents = append(made, xml.Header+"<word>"+text+"</word>\n"), append(documents, document)
		if n%7 != 0 { // a document that fails gives no buffers back
			continue
		}
		if _, err := api.Document(struct{ First, Second any }{text, refused{}}); err == nil {
			t.Fatal("what cannot be written is written")
		}
	}
	for n, document := range documents {
		if string(document) != made[n] {
			t.Errorf("document %d of %d bytes begins with %.60q", n, len(document), document)
		}
	}
}
