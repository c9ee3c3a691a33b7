package mailer

import (
	"bytes"
	"testing"
)

// BenchmarkMessage writes an e-mail with an invoice of the usual size, unsigned and signed.
func BenchmarkMessage(b *testing.B) {
	p := anEmail()
	p.PDF = bytes.Repeat([]byte("0123456789abcdef"), 45<<10/16)
	for name, dkim := range map[string]*DKIM{"unsigned": nil, "signed": signers(b)["Ed25519"]} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := signed(p, dkim); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
