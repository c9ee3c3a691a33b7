package testkit

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"testing"
	"time"
)

// Certificate is a self-signed certificate for the loopback address.
type Certificate struct {
	Chain, Key []byte // PEM
	Serial     *big.Int
	Roots      *x509.CertPool // accepts it
}

// NewCertificate makes a certificate with a new key.
func NewCertificate(t testing.TB) Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatalf("make a key: %v", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if err != nil {
		t.Fatalf("draw a serial number: %v", err)
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "purr.test"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:    time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2999, time.December, 31, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatalf("make a certificate: %v", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatalf("write the key: %v", err)
	}
	c := Certificate{
		Chain:  pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		Key:    pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		Serial: serial,
		Roots:  x509.NewCertPool(),
	}
	c.Roots.AppendCertsFromPEM(c.Chain)
	return c
}

// Write writes the certificate's files in the way of a program that renews certificates.
func (c Certificate) Write(t testing.TB, chainFile, keyFile string) {
	t.Helper()
	for file, content := range map[string][]byte{chainFile: c.Chain, keyFile: c.Key} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
