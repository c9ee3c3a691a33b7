package giro_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"purr/models"
	"purr/ocr/giro"
)

// A file is checked as a whole before the first transaction of it is posted.
func Example() {
	file, err := os.Open("testdata/ocr-basic.txt")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	today := models.NewDate(2026, time.March, 3)

	summary, err := giro.Check(file, today)
	if err != nil {
		fmt.Println(err) // a line for each fault
		return
	}
	fmt.Println(summary.Totals.Transactions, "transactions,", summary.Amount)

	if _, err := file.Seek(0, io.SeekStart); err != nil {
		panic(err)
	}
	for r := giro.NewReader(file, today); ; {
		tx, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(tx.Assignment.Account, tx.NetsDate, tx.KID(), tx.Signed())
	}

	// Output:
	// 3 transactions, 1824.50
	// 12345678903 2026-03-02 0000421003179 1250.00
	// 12345678903 2026-03-02 0000431003185 499.50
	// 12345678903 2026-03-02 0000441003191 75.00
}
