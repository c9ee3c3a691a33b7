package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"purr/models"
)

// mandates has the bank deliver a file of mandates: of the customers with the keys that a text names.
func (d *demo) mandates(ctx context.Context, keys string) error {
	d.files++
	var file strings.Builder
	record := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		file.WriteString(text + strings.Repeat("0", 80-len(text)) + "\r\n")
	}
	record("NY00001000008080%07d00712345", d.files)
	record("NY212420%09d%07d%s", 0, d.files, d.plan.Creditor.Account)
	signed := strings.Fields(keys)
	for i, key := range signed {
		payer, err := d.plan.customer(key)
		if err != nil {
			return err
		}
		kid, err := d.kidOf(payer)
		if err != nil {
			return err
		}
		record("NY219470%07d1%25sN", i+1, kid)
	}
	record("NY212488%08d%08d", len(signed), len(signed)+2)
	record("NY000089%08d%08d", len(signed), len(signed)+4)
	d.lastFile = []byte(file.String())
	return d.deliver(ctx)
}

// kidOf returns a KID that names a customer, and no document.
func (d *demo) kidOf(payer *customer) (string, error) {
	us := models.Creditor{KIDLength: d.plan.Creditor.KIDLength, KIDCustomerDigits: d.plan.Creditor.KIDCustomerDigits}
	id, err := strconv.ParseInt(path.Base(payer.URI), 10, 64)
	if err != nil {
		return "", err
	}
	digits, fits := us.KIDCustomer(id)
	if !fits {
		return "", fmt.Errorf("the ID of customer %d does not fit into a KID", id)
	}
	return models.NewKID(digits+strings.Repeat("0", us.DocumentKIDLength()-1), models.Modulus10), nil
}

// answerClaims has the bank answer the files of claims that lie in the outbox, if it is at hand: it has taken them.
func (d *demo) answerClaims() error {
	if d.data == "" {
		return nil
	}
	folder := filepath.Join(d.data, "outbox", "avtalegiro")
	files, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		var sender, number int64
		if _, err := fmt.Sscanf(f.Name(), "avtalegiro-%d-%d.txt", &sender, &number); err != nil || number <= d.claimFiles {
			continue // it is no file of claims
		}
		d.claimFiles = number
		name := fmt.Sprintf("KV.GODKJENT.F%07d.%s.T140500.K%08d.html", number, d.today.Time().Format("D060102"), sender)
		receipts := filepath.Join(folder, "receipts")
		if err := os.MkdirAll(receipts, 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(receipts, name), fmt.Appendf(nil, "<p>Forsendelse %07d: GODKJENT</p>\n", number), 0o600); err != nil {
			return err
		}
	}
	return nil
}
