package console_test

import (
	"context"
	"fmt"

	"purr/ocr/unmatched"
	"purr/store"
)

// overtakenOnPayments are those of the acts that somebody else is faster with that are on payments in the queue.
var overtakenOnPayments = map[string]func(d *desks) form{
	"/bank/payment/{payment}/match": func(d *desks) form {
		u, i := d.payment(), d.invoice()
		f := d.formAt(fmt.Sprintf("bank?payment=%d", u.ID), fmt.Sprintf("bank/payment/%d/match", u.ID))
		d.resolves(u, true)
		return f.typing("meant", "another", "invoice", fmt.Sprint(i.Number))
	},
	"/bank/payment/{payment}/unmatch": func(d *desks) form { // matched elsewhere since Kari matched it
		u, i, other := d.payment(), d.invoice(), d.invoice()
		page := fmt.Sprintf("bank/payment/%d", u.ID)
		f := d.undoOf(d.formAt(fmt.Sprintf("bank?payment=%d", u.ID), page+"/match").typing("meant", "another", "invoice", fmt.Sprint(i.Number)), page+"/unmatch")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			if _, err := unmatched.Unmatch(ctx, tx, d.creditor, u.ID, ola); err != nil {
				return err
			}
			_, err := unmatched.Match(ctx, tx, d.creditor, u.ID, []int64{other.ID}, ola)
			return err
		})
		return f
	},
	"/bank/payment/{payment}/choose": func(d *desks) form {
		u, i := d.payment(), d.invoice()
		f := d.formAt(fmt.Sprintf("bank/payment/%d/choose?customer=%d", u.ID, i.CustomerID))
		d.resolves(u, true)
		return f
	},
	"/bank/payment/{payment}/not-payer": func(d *desks) form {
		u, i := d.suggested()
		f := d.formAt(fmt.Sprintf("invoices/%d", i.Number), fmt.Sprintf("bank/payment/%d/not-payer", u.ID))
		d.resolves(u, true)
		return f
	},
	"/bank/payment/{payment}/payer": func(d *desks) form {
		u, i := d.suggested()
		f := d.formAt(fmt.Sprintf("customers/%d", i.CustomerID), fmt.Sprintf("bank/payment/%d/not-payer", u.ID))
		f = d.undoOf(f, fmt.Sprintf("bank/payment/%d/payer", u.ID))
		d.resolves(u, true)
		return f
	},
	"/bank/payment/{payment}/dismiss": func(d *desks) form {
		u := d.payment()
		f := d.formAt(fmt.Sprintf("bank/payment/%d/dismiss", u.ID))
		d.resolves(u, true)
		return f.typing("comment", "not ours")
	},
	"/bank/payment/{payment}/reopen": func(d *desks) form {
		u := d.payment()
		page := fmt.Sprintf("bank/payment/%d", u.ID)
		f := d.undoOf(d.formAt(page+"/dismiss").typing("comment", "not ours"), page+"/reopen")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Reopen(ctx, tx, d.creditor, u.ID, ola)
			return err
		})
		d.resolves(u, false)
		return f
	},
}
