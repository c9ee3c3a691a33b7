package store

import "context"

// View is the database as it stood at one moment: what it reads in several queries agrees, such as a
// balance with the entries that make it up, and a status with its notices (rules D26, D33).
type View struct{ reads }

// View calls look with what is committed when look reads first.
func (db *DB) View(ctx context.Context, look func(v View) error) error {
	g := db.with(ctx).Begin()
	if g.Error != nil {
		return classify(g.Error, "")
	}
	defer func() { _ = g.Rollback() }() // nothing was written
	return look(View{reads{g}})
}

// View returns what the transaction sees, its own writes too.
func (tx *Tx) View() View { return View{tx.reads} }
