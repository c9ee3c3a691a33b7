package privacy

import (
	"path/filepath"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestO14TheListIsKeptByManyAtOnce lets a server and commands bring the list up to date at once, again and again: who was forgotten stands
// there once.
func TestO14TheListIsKeptByManyAtOnce(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		dir := t.TempDir()
		testkit.Must(t, KeepList(t.Context(), db, dir))
		c := rows.Creditor(t, db)
		const rounds, each = 4, 5
		for range rounds {
			for range each {
				of := rows.Customer(t, db, c)
				rows.Write(t, db, func(tx *store.Tx) error {
					_, err := Forget(t.Context(), tx, c, of.ID, models.Forgetting{Again: true}, "test")
					return err
				})
			}
			keep := func() error { return KeepList(t.Context(), db, dir) }
			testkit.AtOnce(t, keep, keep, keep, keep)
		}
		list, err := ReadListFile(filepath.Join(dir, ListName))
		testkit.Must(t, err)
		if len(list) != rounds*each {
			t.Errorf("the list has %d lines, want %d", len(list), rounds*each)
		}
	})
}
