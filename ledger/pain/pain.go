// Package pain writes files of payments for a bank: pain.001.001.09 of ISO 20022, as Norwegian banks take it (accounts as BBAN). It
// knows nothing of where the payments come from.
package pain

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// File is what a file asks a bank to pay.
type File struct {
	ID       string    // of the message and of its one batch, at most 35 signs
	Made     time.Time // in the time of who pays
	On       models.Date
	Payer    Payer
	Payments []Payment // at least one
}

// Payer is who pays.
type Payer struct {
	Name               string
	OrganisationNumber string // may be empty
	Account            string // 11 digits
	BIC                string // of the payer's bank; may be empty
}

// Payment is one payment to a Norwegian account.
type Payment struct {
	ID      string // from end to end, at most 35 signs
	Amount  models.Amount
	Name    string
	Account string // 11 digits
	Text    string // for who is paid
}

const (
	namespace = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
	maxName   = 70  // the banks' limit; the schema's is 140
	maxText   = 140 // of one unstructured remittance
	currency  = "NOK"
)

// Write returns the file as XML. Equal files have equal bytes.
func Write(f File) ([]byte, error) {
	var sum models.Amount
	for _, p := range f.Payments {
		sum += p.Amount
	}
	count := strconv.Itoa(len(f.Payments))
	payer := party(f.Payer.Name, f.Payer.OrganisationNumber)
	d := document{Namespace: namespace}
	d.Initiation.Header = header{f.ID, f.Made.Format("2006-01-02T15:04:05"), count, sum.String(), payer}
	batch := batch{
		ID: f.ID, Method: "TRF", Count: count, Sum: sum.String(), Day: f.On.String(), Debtor: payer, Account: norwegian(f.Payer.Account),
		Agent: agentOf(f.Payer.BIC), Charges: "SLEV",
	}
	for _, p := range f.Payments {
		batch.Transfers = append(batch.Transfers, transfer{
			InstructionID: p.ID, EndToEndID: p.ID, Amount: amount{currency, p.Amount.String()}, Creditor: party(p.Name, ""), Account: norwegian(p.Account), Text: cut(p.Text, maxText),
		})
	}
	d.Initiation.Batch = batch
	body, err := xml.MarshalIndent(d, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write pain.001 %s: %w", f.ID, err)
	}
	return append([]byte(xml.Header), append(body, '\n')...), nil
}

func party(name, organisation string) named {
	n := named{Name: cut(name, maxName)}
	if organisation != "" {
		n.ID = &identification{Number: organisation, Scheme: "COID"}
	}
	return n
}

func norwegian(number string) account {
	return account{Number: number, Scheme: "BBAN", Currency: currency}
}

// agentOf names the payer's bank. The schema wants one, and banks take this where they know it by the account.
func agentOf(bic string) agent {
	if bic == "" {
		return agent{Other: "NOTPROVIDED"}
	}
	return agent{BIC: bic}
}

// cut returns a text in one line, of at most so many signs.
func cut(text string, most int) string {
	signs := []rune(strings.Join(strings.Fields(text), " "))
	return strings.TrimSpace(string(signs[:min(len(signs), most)]))
}
