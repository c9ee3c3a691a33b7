package camt_test

import (
	"errors"
	"fmt"
	"io"
	"os"

	"purr/ocr/camt"
)

// A file is checked as a whole before the first transaction of it is posted.
func Example() {
	file, err := os.Open("testdata/camt054-v08.xml")
	if err != nil {
		panic(err)
	}
	defer file.Close()

	summary, err := camt.Check(file)
	if err != nil {
		fmt.Println(err) // a line for each fault
		return
	}
	fmt.Println(summary.Totals.Transactions, "transactions,", summary.Amount)

	if _, err := file.Seek(0, io.SeekStart); err != nil {
		panic(err)
	}
	for r := camt.NewReader(file); ; {
		tx, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(tx.Entry.Notification.Account, tx.Entry.Booked, tx.Amount, tx.KID, tx.Text, tx.Reversal())
	}

	// Output:
	// 2 transactions, 0.00
	// 12345678903 2026-03-03 1250.00 0000421003179  false
	// 12345678903 2026-03-03 -1250.00  Tilbakeføring true
}
