package store_test

import (
	"bytes"
	"slices"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestE4LinesAreFoundWhereverTheyLie asks where a file's lines are: in the ledger one after the other, with another file's between
// them, or far apart, and in the queue.
func TestE4LinesAreFoundWhereverTheyLie(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c, other := rows.Creditor(t, db), rows.Creditor(t, db)
		post := func(creditor models.Creditor, lines ...byte) {
			t.Helper()
			var entries []models.Entry
			for _, line := range lines {
				entries = append(entries, models.Entry{
					CreditorID: creditor.ID, Type: models.EntryOCR, Amount: -models.Amount(line), TransactionDate: rows.Today, LineKey: lineKey(line), PaymentFileID: 7,
				})
			}
			rows.Write(t, db, func(tx *store.Tx) error { return tx.CreateEntries(t.Context(), entries) })
		}
		post(c, 1, 2)
		post(other, 3, 200)
		post(c, 201, 4, 5)
		post(c, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120)
		post(c, 6)
		rows.Write(t, db, func(tx *store.Tx) error {
			return tx.CreateUnmatchedPayments(t.Context(), []models.UnmatchedPayment{{CreditorID: c.ID, LineKey: lineKey(3), Amount: 3, TransactionDate: rows.Today, Status: models.PaymentOpen}})
		})
		for why, asked := range map[string][]byte{
			"one after the other":    {1, 2, 3, 4, 5},
			"in another order":       {5, 3, 4, 2, 1},
			"one far away":           {1, 2, 4, 6},
			"one of them far away":   {1, 6, 3, 4, 5},
			"the first in the queue": {3, 1, 2},
			"one alone":              {4},
			"one that is nowhere":    {1, 250, 2},
		} {
			keys := [][]byte{}
			for _, line := range asked {
				keys = append(keys, lineKey(line))
			}
			found, err := db.LineLocations(t.Context(), []int64{0, c.ID}, keys)
			must(t, err)
			places := map[string]store.LineLocation{}
			for _, at := range found {
				places[string(at.LineKey)] = at
			}
			for _, line := range asked {
				want := store.LineLocation{CreditorID: c.ID, LineKey: lineKey(line), Table: store.EntriesTable, PaymentFileID: 7, Amount: models.Amount(line)}
				if line == 3 {
					want.Table, want.PaymentFileID = store.UnmatchedTable, 0
				}
				got, is := places[string(lineKey(line))]
				delete(places, string(lineKey(line)))
				if is != (line != 250) || is && (got.CreditorID != want.CreditorID || got.Table != want.Table || got.PaymentFileID != want.PaymentFileID || got.Amount != want.Amount) {
					t.Errorf("%s: line %d is at %+v", why, line, got)
				}
			}
			if len(places) > 0 {
				t.Errorf("%s: nobody asked for %v", why, places)
			}
		}
		inFiles := func(lines ...[]byte) (found []byte) {
			t.Helper()
			var files [][][]byte
			for _, of := range lines {
				files = append(files, nil)
				for _, line := range of {
					files[len(files)-1] = append(files[len(files)-1], lineKey(line))
				}
			}
			places, err := db.LineLocations(t.Context(), []int64{0, c.ID}, files...)
			must(t, err)
			for _, at := range places {
				found = append(found, byte(at.Amount))
			}
			slices.Sort(found)
			return found
		}
		for why, tt := range map[string]struct {
			files [][]byte
			want  []byte
		}{
			"two files, one after the other":        {[][]byte{{1, 2, 4}, {100, 101, 102}}, []byte{1, 2, 4, 100, 101, 102}},
			"two files, in another order":           {[][]byte{{100, 101, 102}, {1, 2, 4}}, []byte{1, 2, 4, 100, 101, 102}},
			"two files, one in the other":           {[][]byte{{1, 2, 5}, {2, 3, 4}}, []byte{1, 2, 3, 4, 5}},
			"two files, one of them out of its row": {[][]byte{{1, 4, 6}, {101, 102, 103}}, []byte{1, 4, 6, 101, 102, 103}},
			"the same lines in both":                {[][]byte{{1, 2, 4}, {1, 2, 4}}, []byte{1, 2, 4}},
			"one that is too short to be in a row":  {[][]byte{{6}, {1, 2, 4}, {3, 5}}, []byte{1, 2, 3, 4, 5, 6}},
			"one whose first line is nowhere":       {[][]byte{{250, 1, 2}, {100, 101, 102}}, []byte{1, 2, 100, 101, 102}},
			"none":                                  {nil, nil},
		} {
			if got := inFiles(tt.files...); !bytes.Equal(got, tt.want) {
				t.Errorf("%s: found are the lines %v, want %v", why, got, tt.want)
			}
		}
		if found, err := db.LineLocations(t.Context(), []int64{0}, [][]byte{lineKey(1), lineKey(2), lineKey(3)}); err != nil || len(found) > 0 {
			t.Errorf("nobody's lines are %v, %v", found, err)
		}
	})
}
