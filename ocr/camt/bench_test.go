package camt

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"sync"
	"testing"

	"purr/models"
)

const benchmarkTransactions = 50_000

// benchmarkFile is a file of fifty lump sums of a thousand payments each.
var benchmarkFile = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	w := NewWriter(&out)
	must(w.StartMessage(MessageHeader{ID: "MSG-1", Created: testDay}))
	must(w.StartNotification(NotificationHeader{ID: "NTF-1", Created: testDay, Account: testAccount}))
	const lump = 1000
	for i := 0; i < benchmarkTransactions; i += lump {
		payments := make([]Payment, lump)
		for k := range payments {
			payments[k] = Payment{
				Amount: 100_00, Name: "Kari Nordmann", KID: models.NewKID(strconv.Itoa(100_000_000_000+i+k), models.Modulus10),
				DebitAccount: otherAccount, BankReference: strconv.Itoa(600_000_000 + i + k), EndToEndID: "NOTPROVIDED",
			}
		}
		must(w.Write(credit(lump*100_00), payments...))
	}
	must(w.Close())
	return out.Bytes()
})

// BenchmarkTokens reads the tokens and does nothing with them: what BenchmarkReader is measured by.
func BenchmarkTokens(b *testing.B) {
	file := benchmarkFile()
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		decoder := xml.NewDecoder(bytes.NewReader(file))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkReader reads and checks every transaction.
func BenchmarkReader(b *testing.B) {
	file := benchmarkFile()
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(file))
		transactions := 0
		for {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
			transactions++
		}
		if transactions != benchmarkTransactions {
			b.Fatal(transactions, "transactions")
		}
	}
}
