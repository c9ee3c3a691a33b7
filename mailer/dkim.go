package mailer

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// DKIM signs e-mails (RFC 6376, RFC 8463). The libraries stamp the present time into a signature, so another attempt would
// send other bytes; this one stamps the e-mail's own. It is safe for concurrent use.
type DKIM struct {
	domain, selector string
	algorithm        string // rsa or ed25519
	key              crypto.Signer
}

// minRSA are the least bits of an RSA key that receivers accept (RFC 8301).
const minRSA = 1024

// NewDKIM returns what signs for the domain with the private key in the PEM file. The public key is in the DNS, under the
// selector. Its errors never show the key.
func NewDKIM(keyFile, domain, selector string) (*DKIM, error) {
	content, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	key, err := privateKey(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", keyFile, err)
	}
	d := &DKIM{domain: domain, selector: selector}
	switch key := key.(type) {
	case *rsa.PrivateKey:
		if key.N.BitLen() < minRSA {
			return nil, fmt.Errorf("%s: an RSA key needs at least %d bits, better 2048: this one has %d", keyFile, minRSA, key.N.BitLen())
		}
		d.algorithm, d.key = "rsa", key
	case ed25519.PrivateKey:
		d.algorithm, d.key = "ed25519", key
	default:
		return nil, fmt.Errorf("%s: the key must be an RSA or an Ed25519 key", keyFile)
	}
	return d, nil
}

// privateKey reads the first private key of a PEM file: PKCS #8, or PKCS #1 of older tools.
func privateKey(content []byte) (any, error) {
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "PRIVATE KEY":
			return x509.ParsePKCS8PrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			return x509.ParsePKCS1PrivateKey(block.Bytes)
		case "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("the key must have no passphrase")
		}
	}
	return nil, errors.New("there is no private key in PEM form; openssl genpkey makes one")
}

// Record returns the DNS record that receivers verify the signatures by: its name, and its text.
func (d *DKIM) Record() (name, text string, err error) {
	public := d.key.Public()
	content, isEd25519 := public.(ed25519.PublicKey) // bare in the record (RFC 8463), while an RSA key is wrapped
	if !isEd25519 {
		if content, err = x509.MarshalPKIXPublicKey(public); err != nil {
			return "", "", fmt.Errorf("the public key: %w", err)
		}
	}
	text = "v=DKIM1; k=" + d.algorithm + "; p=" + base64.StdEncoding.EncodeToString(content)
	return d.selector + "._domainkey." + d.domain, text, nil
}

// signedFields are the fields of the header that a signature covers. From stands there twice, so that nobody adds another.
var signedFields = []string{
	"From", "From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted",
}

// sign returns the e-mail with a signature of the moment.
func (d *DKIM) sign(raw []byte, at time.Time) ([]byte, error) {
	header, body, whole := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !whole {
		return nil, errors.New("mailer: an e-mail without a body cannot be signed")
	}
	bodySum := sha256.Sum256(relaxedBody(body))
	field := fmt.Sprintf("DKIM-Signature: v=1; a=%s-sha256; c=relaxed/relaxed; d=%s; s=%s;\r\n t=%d; h=%s;\r\n bh=%s;\r\n b=",
		d.algorithm, d.domain, d.selector, at.Unix(), strings.Join(signedFields, ":"), base64.StdEncoding.EncodeToString(bodySum[:]))
	sum := sha256.New()
	fields := fieldsOf(string(header))
	for _, name := range signedFields {
		name = strings.ToLower(name)
		io.WriteString(sum, fields[name]) //nolint:errcheck // a hash takes everything
		delete(fields, name)
	}
	_, itself := relaxedField(field)
	io.WriteString(sum, strings.TrimSuffix(itself, "\r\n")) //nolint:errcheck // a hash takes everything
	hash := crypto.SHA256
	if d.algorithm == "ed25519" {
		hash = 0 // it signs the sum as a message
	}
	signature, err := d.key.Sign(nil, sum.Sum(nil), hash) // neither kind of key draws at random
	if err != nil {
		return nil, fmt.Errorf("mailer: sign an e-mail: %w", err)
	}
	var b bytes.Buffer
	b.Grow(len(field) + 2*len(signature) + len(raw))
	b.WriteString(field)
	for rest := base64.StdEncoding.EncodeToString(signature); rest != ""; {
		n := min(len(rest), 70)
		b.WriteString(rest[:n])
		if rest = rest[n:]; rest != "" {
			b.WriteString("\r\n ")
		}
	}
	b.WriteString("\r\n")
	b.Write(raw)
	return b.Bytes(), nil
}

// fieldsOf returns the fields of a header by their names, in relaxed form. purr writes no field twice.
func fieldsOf(header string) map[string]string {
	fields := map[string]string{}
	var field string
	for line := range strings.SplitSeq(header+"\r\n.", "\r\n") {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			field += line
			continue
		}
		name, relaxed := relaxedField(field)
		fields[name], field = relaxed, line
	}
	return fields
}

// relaxedField returns the name of a field, and the field in relaxed form (RFC 6376, section 3.4.2).
func relaxedField(field string) (name, relaxed string) {
	name, value, _ := strings.Cut(field, ":")
	name = strings.ToLower(strings.TrimSpace(name))
	return name, name + ":" + strings.Join(strings.FieldsFunc(value, isBlank), " ") + "\r\n"
}

func isBlank(c rune) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// relaxedBody returns a body in relaxed form (RFC 6376, section 3.4.4).
func relaxedBody(body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body) + 2)
	empty := 0 // lines that nothing has followed yet
	for line := range bytes.SplitSeq(body, []byte("\r\n")) {
		line = blanks(line)
		if len(line) == 0 {
			empty++
			continue
		}
		for ; empty > 0; empty-- {
			b.WriteString("\r\n")
		}
		b.Write(line)
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

// blanks returns a line with one blank for each run of blanks and tabs, and none at its end. Most lines, those of an
// attachment above all, have none.
func blanks(line []byte) []byte {
	if bytes.IndexByte(line, ' ') < 0 && bytes.IndexByte(line, '\t') < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for i, c := range line {
		switch {
		case c != ' ' && c != '\t':
			out = append(out, c)
		case i == 0 || line[i-1] != ' ' && line[i-1] != '\t':
			out = append(out, ' ')
		}
	}
	return bytes.TrimSuffix(out, []byte(" "))
}
