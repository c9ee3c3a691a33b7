package peppol

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzRegister lets a register and the DNS answer anything. What is made of it is asked for again over HTTP, or compared: it
// must be a URL of a web server, and types in lower case.
func FuzzRegister(f *testing.F) {
	const reference = `<ServiceGroup><ServiceMetadataReferenceCollection><ServiceMetadataReference href="https://smp.example/p/services/busdox-docid-qns%3A%3Aurn%3Ax"/>` +
		`</ServiceMetadataReferenceCollection></ServiceGroup>`
	f.Add("!.*!https://smp.example/!", []byte(reference))
	f.Add("/^.*$/http://[::1]:80//", []byte(`<!DOCTYPE a [<!ENTITY b "c">]><ServiceGroup>&b;</ServiceGroup>`))
	f.Add("!.*!https://user@smp.example/?a#b!", []byte("<ServiceGroup xmlns='urn:x'><ServiceMetadataReference href='/services/%zz'/></ServiceGroup>"))
	f.Add("", []byte("<html>"))
	f.Fuzz(func(t *testing.T, expression string, group []byte) {
		if register, err := replacement(expression); err == nil {
			u, err := url.Parse(register + "/x")
			if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || (u.Scheme != "http" && u.Scheme != "https") || !strings.HasSuffix(u.Path, "/x") {
				t.Errorf("%q names the register %q: %v", expression, register, err)
			}
		}
		types, err := typesIn(group, Participant("987654325"))
		if err != nil && types != nil {
			t.Errorf("a bad answer has types: %q, %v", types, err)
		}
		for _, documentType := range types {
			if documentType != strings.ToLower(documentType) {
				t.Errorf("%q is not in lower case", documentType)
			}
		}
	})
}
