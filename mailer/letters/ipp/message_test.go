package ipp

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
)

// printed is the Print-Job request of RFC 8010, appendix A.1, with our attributes.
func printed() message {
	return message{code: uint16(printJob), requestID: 1, groups: []group{
		{operationGroup, []attribute{
			textual(tagCharset, "attributes-charset", "utf-8"), textual(tagLanguage, "attributes-natural-language", "en-us"),
			textual(tagURI, "printer-uri", "ipp://printer.example.com/ipp/print"), textual(tagName, "job-name", "foobar"),
		}},
		{jobGroup, []attribute{number(tagInteger, "copies", 20), textual(tagKeyword, "sides", "two-sided-long-edge"), boolean("x", true)}},
	}}
}

func TestRFC8010TheBytesOfARequest(t *testing.T) {
	t.Parallel()
	const want = "0200" + "0002" + "00000001" + "01" +
		"47" + "0012" + "617474726962757465732d63686172736574" + "0005" + "7574662d38" +
		"48" + "001b" + "617474726962757465732d6e61747572616c2d6c616e6775616765" + "0005" + "656e2d7573" +
		"45" + "000b" + "7072696e7465722d757269" + "0023" + "6970703a2f2f7072696e7465722e6578616d706c652e636f6d2f6970702f7072696e74" +
		"42" + "0008" + "6a6f622d6e616d65" + "0006" + "666f6f626172" +
		"02" +
		"21" + "0006" + "636f70696573" + "0004" + "00000014" +
		"44" + "0005" + "7369646573" + "0013" + "74776f2d73696465642d6c6f6e672d65646765" +
		"22" + "0001" + "78" + "0001" + "01" +
		"03"
	got, err := printed().encode()
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("it is\n%x, want\n%s, %v", got, want, err)
	}
	if _, err := (message{groups: []group{{jobGroup, []attribute{textual(tagName, "job-name", strings.Repeat("x", maxLength+1))}}}}).encode(); err == nil {
		t.Error("a value that is too long is encoded")
	}
}

func TestRFC8010WhatIsNoMessageIsRefused(t *testing.T) {
	t.Parallel()
	whole, err := printed().encode()
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole { // cut off anywhere
		if _, err := decode(whole[:n]); err == nil {
			t.Errorf("%d bytes of %d are a message", n, len(whole))
		}
	}
	head := "\x02\x00\x00\x00\x00\x00\x00\x01"
	for name, raw := range map[string]string{
		"another version":               "\x09\x00\x00\x00\x00\x00\x00\x01\x03",
		"a web page":                    "<html><body>no IPP here</body></html>",
		"an attribute without a group":  head + "\x21\x00\x01a\x00\x00\x03",
		"a further value of nothing":    head + "\x02\x21\x00\x00\x00\x00\x03",
		"an extended tag":               head + "\x02\x7f\x00\x01a\x00\x00\x03",
		"a length of more than is left": head + "\x02\x21\xff\xffa",
		"a hostile megabyte of groups":  head + strings.Repeat("\x02", 1<<20) + "\x03",
	} {
		if m, err := decode([]byte(raw)); err == nil {
			t.Errorf("%s is read as %+v", name, m)
		}
	}
}

func FuzzDecode(f *testing.F) {
	whole, err := printed().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte("\x01\x01\x00\x00\x00\x00\x00\x01\x01\x47\x00\x01a\x00\x01b\x47\x00\x00\x00\x01c\x02\x02\x03tail"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := decode(raw)
		if err != nil {
			return
		}
		jobsOf(m)
		again, err := m.encode()
		if err != nil {
			return // an attribute that is longer than what we send
		}
		back, err := decode(again)
		if err != nil || back.code != m.code || back.requestID != m.requestID || len(back.groups) != len(m.groups) {
			t.Fatalf("%x is read as %+v, written and read again as %+v, %v", raw, m, back, err)
		}
		twice, err := back.encode()
		if err != nil || !bytes.Equal(again, twice) || !reflect.DeepEqual(names(m), names(back)) {
			t.Fatalf("%x is written as %x and then as %x, %v", raw, again, twice, err)
		}
	})
}

func names(m message) (all []string) {
	for _, g := range m.groups {
		for _, a := range g.attributes {
			all = append(all, a.name)
		}
	}
	return all
}
