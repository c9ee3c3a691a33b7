package operator

import (
	"context"
	"io"
	"time"

	"purr/api"
	"purr/models"
	"purr/register/privacy"
	"purr/store"
)

// ForgetRequest says which customers are to be forgotten.
type ForgetRequest struct {
	Before  models.Date // whose newest document, entry or, without any, creation is of an earlier day
	Despite bool        // although the bookkeeping years are not over
}

func (r ForgetRequest) forgetting() models.Forgetting {
	return models.Forgetting{Cut: r.Before, Despite: r.Despite}
}

// EachForgettable calls do with each of the creditor's customers who is older than the day, with what would go and what would stay. The
// preview's refusal says why one cannot be forgotten.
func (o *Operator) EachForgettable(ctx context.Context, c models.Creditor, r ForgetRequest, do func(privacy.Preview) error) error {
	today, err := o.Today(c)
	if err != nil {
		return err
	}
	const page = 500
	for last := int64(0); ; {
		ids, err := o.DB.Unforgotten(ctx, c.ID, last, page)
		if err != nil {
			return err
		}
		for _, id := range ids {
			last = id
			var p privacy.Preview
			if err := o.DB.View(ctx, func(v store.View) error {
				p, err = privacy.Look(ctx, v, c, id, r.forgetting(), today)
				return err
			}); err != nil {
				return err
			}
			if newest := newestOf(p, c); newest < r.Before {
				if err := do(p); err != nil {
					return err
				}
			}
		}
		if len(ids) < page {
			return nil
		}
	}
}

// newestOf returns the day of the newest document or entry of a customer, or that on which it was created.
func newestOf(p privacy.Preview, c models.Creditor) models.Date {
	if p.Affairs.Newest != 0 {
		return p.Affairs.Newest
	}
	return models.DateOf(p.Customer.CreatedAt.In(c.DisplayZone()))
}

// ForgetCustomer forgets one of the creditor's customers. What files still say of it goes with RemoveForgotten.
func (o *Operator) ForgetCustomer(ctx context.Context, c models.Creditor, id int64, r ForgetRequest) error {
	_, err := inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Customer, error) {
		return privacy.Forget(ctx, tx, c, id, r.forgetting(), o.Actor)
	})
	return err
}

// RemoveForgotten removes what files still say of customers who were forgotten, and brings the list of the data folder up to date. What a
// running purr removes meanwhile is done too.
func (o *Operator) RemoveForgotten(ctx context.Context) error {
	_, err := o.Remover.Remove(ctx)
	return err
}

// ForgetAgain forgets those on a list who are customers of this database and are not forgotten in it, whatever there is open (rule O14b). It
// returns how many these were. A restored installation does not warn any more that somebody may be back.
func (o *Operator) ForgetAgain(ctx context.Context, list []store.Forgotten) (forgotten int, err error) {
	creditors := map[int64]models.Creditor{}
	for _, f := range list {
		c, known := creditors[f.CreditorID]
		if !known {
			if c, err = o.DB.Creditor(ctx, f.CreditorID); models.IgnoreNotFound(err) != nil {
				return forgotten, err
			}
			creditors[f.CreditorID] = c
		}
		if c.ID == 0 {
			continue
		}
		before, err := o.DB.Customer(ctx, c.ID, f.CustomerID)
		if models.KindOf(err) == models.KindNotFound || err == nil && before.ForgottenAt != nil {
			continue
		}
		if err != nil {
			return forgotten, err
		}
		if _, err := inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Customer, error) {
			return privacy.Forget(ctx, tx, c, f.CustomerID, models.Forgetting{Again: true}, o.Actor)
		}); err != nil {
			return forgotten, err
		}
		forgotten++
	}
	if err := o.SettleForgotten(ctx); err != nil {
		return forgotten, err
	}
	return forgotten, o.RemoveForgotten(ctx)
}

// SettleForgotten notes that a person, or a list, has said who was forgotten since the backup that was restored.
func (o *Operator) SettleForgotten(ctx context.Context) error {
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetSetting(ctx, store.ForgottenUnknown, "") })
}

// DoubtForgotten notes that nobody has said who was forgotten since the backup of a moment: who was may be back.
func (o *Operator) DoubtForgotten(ctx context.Context, backup time.Time) error {
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.SetSetting(ctx, store.ForgottenUnknown, backup.UTC().Format(time.RFC3339))
	})
}

// ExportCustomer writes all that is known of a customer of any creditor as a zip (rule O14a).
func (o *Operator) ExportCustomer(ctx context.Context, c models.Creditor, id int64, to io.Writer) error {
	server := api.New(api.Config{
		DB: o.DB, Documents: o.Documents, Collection: o.Collection, Accounts: o.Journal, Importer: o.Importer, Rules: o.Rules, Clock: o.Clock, Log: o.Remover.Log,
	})
	defer func() { _ = server.Close() }() // it never fails
	return server.ExportCustomer(ctx, to, c, id)
}

// CreditorOfCustomer returns the creditor of a customer, who must be the creditor's with the name or number if one is given.
func (o *Operator) CreditorOfCustomer(ctx context.Context, creditor string, customerID int64) (models.Creditor, error) {
	if creditor != "" {
		c, err := o.Creditor(ctx, creditor)
		if err != nil {
			return models.Creditor{}, err
		}
		_, err = o.DB.Customer(ctx, c.ID, customerID)
		return c, err
	}
	customer, err := o.DB.CustomerOfAny(ctx, customerID)
	if err != nil {
		return models.Creditor{}, err
	}
	return o.DB.Creditor(ctx, customer.CreditorID)
}
