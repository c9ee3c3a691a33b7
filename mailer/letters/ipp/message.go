// Package ipp is a client of the Internet Printing Protocol: the binary form of its messages (RFC 8010), and the few
// operations that print a document and ask what became of it (RFC 8011). It knows nothing of what is printed.
package ipp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Operation says what a request asks for.
type Operation uint16

// The operations that purr asks for.
const (
	printJob             Operation = 0x0002
	cancelJob            Operation = 0x0008
	getJobAttributes     Operation = 0x0009
	getJobs              Operation = 0x000a
	getPrinterAttributes Operation = 0x000b
)

// tag is a byte that begins a group of attributes, or says what a value is.
type tag byte

const (
	operationGroup tag = 0x01
	jobGroup       tag = 0x02
	endOfGroups    tag = 0x03
	firstValue     tag = 0x10 // all below begin groups

	tagInteger  tag = 0x21
	tagBoolean  tag = 0x22
	tagEnum     tag = 0x23
	tagName     tag = 0x42
	tagKeyword  tag = 0x44
	tagURI      tag = 0x45
	tagCharset  tag = 0x47
	tagLanguage tag = 0x48
	tagMedia    tag = 0x49 // a MIME media type

	tagExtension tag = 0x7f
)

// attribute is a name with its values. The values of a list are of one tag in what purr sends; in what it reads the tag is
// that of the first.
type attribute struct {
	tag    tag
	name   string
	values [][]byte
}

func textual(t tag, name string, values ...string) attribute {
	a := attribute{tag: t, name: name}
	for _, v := range values {
		a.values = append(a.values, []byte(v))
	}
	return a
}

func number(t tag, name string, value int32) attribute {
	return attribute{t, name, [][]byte{binary.BigEndian.AppendUint32(nil, uint32(value))}} //nolint:gosec // two's complement
}

func boolean(name string, value bool) attribute {
	b := byte(0)
	if value {
		b = 1
	}
	return attribute{tagBoolean, name, [][]byte{{b}}}
}

// text returns the first value as a text, or "" if there is none.
func (a attribute) text() string {
	if len(a.values) == 0 {
		return ""
	}
	return string(a.values[0])
}

// number returns the first value of an integer or enum, and false if it is none.
func (a attribute) number() (int32, bool) {
	if (a.tag != tagInteger && a.tag != tagEnum) || len(a.values) == 0 || len(a.values[0]) != 4 {
		return 0, false
	}
	return int32(binary.BigEndian.Uint32(a.values[0])), true //nolint:gosec // two's complement
}

// group is some attributes under the tag that begins them.
type group struct {
	tag        tag
	attributes []attribute
}

// find returns the attribute of a name, or an empty one.
func (g group) find(name string) attribute {
	i := slices.IndexFunc(g.attributes, func(a attribute) bool { return a.name == name })
	if i < 0 {
		return attribute{}
	}
	return g.attributes[i]
}

// message is a request or an answer, without the document behind it.
type message struct {
	code      uint16 // a request's operation, an answer's status
	requestID uint32
	groups    []group
}

const version = 0x0200 // 2.0

// encode returns the bytes of a message (RFC 8010, section 3.1). It fails if a name or a value is too long.
func (m message) encode() ([]byte, error) {
	b := binary.BigEndian.AppendUint16(nil, version)
	b = binary.BigEndian.AppendUint16(b, m.code)
	b = binary.BigEndian.AppendUint32(b, m.requestID)
	for _, g := range m.groups {
		b = append(b, byte(g.tag))
		for _, a := range g.attributes {
			for i, value := range a.values {
				name := a.name
				if i > 0 {
					name = "" // a further value of the same attribute
				}
				if len(name) > maxLength || len(value) > maxLength {
					return nil, fmt.Errorf("ipp: the attribute %.40s is too long", a.name)
				}
				b = append(b, byte(a.tag))
				b = binary.BigEndian.AppendUint16(b, uint16(len(name))) //nolint:gosec // checked above
				b = append(b, name...)
				b = binary.BigEndian.AppendUint16(b, uint16(len(value))) //nolint:gosec // checked above
				b = append(b, value...)
			}
		}
	}
	return append(b, byte(endOfGroups)), nil
}

// maxLength is the greatest length that the two signed bytes before a name or a value can say.
const maxLength = 1<<15 - 1

// maxGroups is the most groups of a message. Each job of a list is one.
const maxGroups = 20_000

var errShort = errors.New("ipp: the message ends too early")

// reader takes bytes from the front of a message.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.short = nil, true
		return make([]byte, min(n, 4)) // as many as the numbers need that are read from it
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) uint16() int { return int(binary.BigEndian.Uint16(r.take(2))) }

// decode reads a message. It keeps no more than the bytes that it is given, and ignores what stands behind the message.
func decode(raw []byte) (message, error) {
	r := &reader{rest: raw}
	major := r.take(2)[0]
	m := message{code: uint16(r.uint16()), requestID: binary.BigEndian.Uint32(r.take(4))} //nolint:gosec // it was one
	if !r.short && major != 1 && major != 2 {
		return message{}, fmt.Errorf("ipp: this is no message of version 1 or 2")
	}
	for {
		t := tag(r.take(1)[0])
		switch {
		case r.short:
			return message{}, errShort
		case t == endOfGroups:
			return m, nil
		case t < firstValue && len(m.groups) == maxGroups:
			return message{}, errors.New("ipp: the message has too many groups")
		case t < firstValue:
			m.groups = append(m.groups, group{tag: t})
			continue
		case t == tagExtension:
			return message{}, errors.New("ipp: a value has an extended tag")
		case len(m.groups) == 0:
			return message{}, errors.New("ipp: an attribute stands outside of a group")
		}
		name := r.take(r.uint16())
		value := r.take(r.uint16())
		if r.short {
			return message{}, errShort
		}
		of := &m.groups[len(m.groups)-1]
		if len(name) > 0 {
			of.attributes = append(of.attributes, attribute{t, string(name), [][]byte{value}})
			continue
		}
		if len(of.attributes) == 0 {
			return message{}, errors.New("ipp: a further value belongs to no attribute")
		}
		last := &of.attributes[len(of.attributes)-1]
		last.values = append(last.values, value)
	}
}
