package bankfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/text/encoding/charmap"
)

// giroField is a part of a record with personal data, or one that should be empty.
type giroField struct {
	from, to int
	replace  func(Key, string) string
}

// giroFields are the fields to replace, by record type (OCR giro system specification, section 2). They are
// identifications, texts, and fillers, which may hold data by mistake.
var giroFields = map[string][]giroField{
	"10": {{23, 31, Key.reference}, {31, 80, Key.text}},                                                                       // recipient
	"20": {{8, 17, Key.reference}, {24, 35, Key.reference}, {35, 80, Key.text}},                                               // agreement, account
	"30": {{49, 74, Key.reference}, {76, 80, Key.text}},                                                                       // KID
	"31": {{15, 25, Key.reference}, {25, 34, Key.reference}, {34, 41, Key.text}, {47, 58, Key.reference}, {58, 80, Key.text}}, // form, archive, payer
	"32": {{15, 55, Key.text}, {55, 80, Key.text}},                                                                            // free text
	"88": {{59, 80, Key.text}},
	"89": {{47, 80, Key.text}},
}

// mandateFields are the fields of an AvtaleGiro mandate. All other fields of other services are unknown and count as
// text.
var (
	mandateFields = []giroField{{16, 41, Key.reference}, {42, 80, Key.text}}
	unknownFields = []giroField{{8, 80, Key.text}}
)

// anonymiseGiro copies a file without faults. It keeps line ends and everything between the records.
func anonymiseGiro(w io.Writer, r io.Reader, key Key) error {
	out := bufio.NewWriterSize(w, bufferSize)
	in := buffered(r)
	for {
		line, err := in.ReadSlice('\n') // a longer line is blank
		if begin := bytes.Index(line, []byte("NY")); begin >= 0 && len(line) >= begin+recordLength {
			anonymiseRecord(line[begin:begin+recordLength], key)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		switch {
		case errors.Is(err, io.EOF):
			return out.Flush()
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("reading the file again: %w", err)
		}
	}
}

func anonymiseRecord(record []byte, key Key) {
	for _, f := range fieldsOf(record) {
		field := bytes.Trim(record[f.from:f.to], " ")
		if len(bytes.Trim(field, "0")) == 0 {
			continue
		}
		// An error is impossible: every byte is a character of ISO-8859-1, and each is replaced by one character.
		text, _ := charmap.ISO8859_1.NewDecoder().String(string(field))
		fresh, _ := charmap.ISO8859_1.NewEncoder().String(f.replace(key, text))
		copy(field, fresh)
	}
}

func fieldsOf(record []byte) []giroField {
	service, recordType := string(record[2:4]), string(record[6:8])
	switch {
	case service == "09", service == "00", recordType == "20", recordType == "88":
		return giroFields[recordType]
	case string(record[2:6]) == "2194" && recordType == "70":
		return mandateFields
	}
	return unknownFields
}
