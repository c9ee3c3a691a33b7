package mailer

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"pgregory.net/rapid"
)

// pemFile keeps a PEM block in a file.
func pemFile(t testing.TB, kind string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dkim.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func rsaKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func pkcs8(t testing.TB, key crypto.Signer) []byte {
	t.Helper()
	content, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// signers returns a signer for each kind of key and of file.
func signers(t testing.TB) map[string]*DKIM {
	t.Helper()
	ofRSA := rsaKey(t)
	_, ofEd25519, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]*DKIM{}
	for name, path := range map[string]string{
		"RSA":                   pemFile(t, "PRIVATE KEY", pkcs8(t, ofRSA)),
		"RSA as of older tools": pemFile(t, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(ofRSA)),
		"Ed25519":               pemFile(t, "PRIVATE KEY", pkcs8(t, ofEd25519)),
	} {
		if made[name], err = NewDKIM(path, "blabaer.example", "purr"); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// verify holds an e-mail against the DNS record of the signer, by another implementation.
func verify(raw []byte, d *DKIM) (*dkim.Verification, error) {
	name, text, err := d.Record()
	if err != nil {
		return nil, err
	}
	found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: func(domain string) ([]string, error) {
		if domain != name {
			return nil, errors.New("no such domain: " + domain)
		}
		return []string{text}, nil
	}})
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, errors.New("there is not one signature")
	}
	return found[0], found[0].Err
}

func TestS3DKIMSignaturesAreVerifiedByOthers(t *testing.T) {
	t.Parallel()
	for name, d := range signers(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare := anEmail()
			bare.PDF = nil
			blank := anEmail()
			blank.Mail.Text, blank.PDF = "", nil
			for _, e := range []Parcel{anEmail(), bare, blank} {
				raw, err := signed(e, d)
				if err != nil {
					t.Fatal(err)
				}
				v, err := verify(raw, d)
				if err != nil {
					t.Fatalf("%v\n%s", err, raw)
				}
				if v.Domain != "blabaer.example" || !v.Time.Equal(e.Date) {
					t.Errorf("it is signed by %s at %s", v.Domain, v.Time)
				}
				if again, err := signed(e, d); err != nil || !bytes.Equal(again, raw) {
					t.Errorf("another attempt sends\n%s\nafter\n%s", again, raw)
				}
			}
		})
	}
}

func TestS3ASignatureBreaksWithTheEmail(t *testing.T) {
	t.Parallel()
	d := signers(t)["Ed25519"]
	raw, err := signed(anEmail(), d)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string][2]string{
		"the amount":     {"1 250,00", "9 250,00"},
		"the subject":    {"Faktura_10001", "Faktura_10002"},
		"the recipient":  {"kari.nordmann@", "ola.nordmann@"},
		"another sender": {"To: <", "From: <thief@kunde.example>\r\nTo: <"},
		"the attachment": {"JVBERi0", "JVBERi1"},
	} {
		forged := bytes.Replace(raw, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(forged, raw) {
			t.Fatalf("%s: nothing was changed", what)
		}
		if v, err := verify(forged, d); err == nil {
			t.Errorf("%s was changed, and %s is still said to have signed it", what, v.Domain)
		}
	}
	refolded := bytes.Replace(raw, []byte("Subject:\r\n"), []byte("SUBJECT: \t\r\n"), 1)
	if _, err := verify(refolded, d); err != nil || bytes.Equal(refolded, raw) {
		t.Errorf("a server on the way has folded a header anew: %v", err)
	}
}

// TestS3EveryEmailCanBeSigned: whatever the texts are, the signature holds.
func TestS3EveryEmailCanBeSigned(t *testing.T) {
	t.Parallel()
	d := signers(t)["Ed25519"]
	rapid.Check(t, func(rt *rapid.T) {
		e := anEmail()
		e.Mail.From.Name, e.Mail.Subject, e.Mail.Text = rapid.String().Draw(rt, "name"), rapid.String().Draw(rt, "subject"), rapid.String().Draw(rt, "text")
		e.PDF = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(rt, "attachment")
		raw, err := signed(e, d)
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := verify(raw, d); err != nil {
			rt.Fatalf("%v\n%q", err, raw)
		}
	})
}

func TestS3KeysThatCannotSign(t *testing.T) {
	t.Parallel()
	public, err := x509.MarshalPKIXPublicKey(rsaKey(t).Public())
	if err != nil {
		t.Fatal(err)
	}
	for want, path := range map[string]string{
		"no such file":       filepath.Join(t.TempDir(), "none"),
		"at least 1024 bits": filepath.Join("testdata", "small_rsa_key.pem"),
		"no private key":     pemFile(t, "PUBLIC KEY", public),
		"passphrase":         pemFile(t, "ENCRYPTED PRIVATE KEY", []byte("secret")),
		"asn1":               pemFile(t, "PRIVATE KEY", []byte("secret")),
	} {
		if _, err := NewDKIM(path, "example.no", "purr"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("want %q, got the error %v", want, err)
		}
	}
}

func TestS3TheOutboxSignsToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outbox, err := NewOutbox(dir)
	if err != nil {
		t.Fatal(err)
	}
	channel := outbox.Email()
	channel.DKIM = signers(t)["RSA"]
	e := anEmail()
	if err := handOver(t.Context(), channel, e); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "email", e.Name+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := verify(raw, channel.DKIM); err != nil || !v.Time.Equal(e.Date.Truncate(time.Second)) {
		t.Errorf("the file's signature: %v", err)
	}
}
