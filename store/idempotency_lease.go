package store

import (
	"context"
	"crypto/rand"
	"strings"
	"time"
)

// KeyLease is how long the lease of LeaseKey holds without being renewed. If a process is killed, a repeated request
// can take over its work after this time.
const KeyLease = 6 * time.Second

// LeaseKey reserves the answer's key for work that takes more than one transaction (rule O9). Commit before the work
// begins. It reports false if the key was used within the last 24 hours, and sets the answer to the kept one. It fails
// with ErrInProgress while another process does the work.
//
// If that process has not renewed its lease in time, the caller takes the work over. The answer's Work is then the same
// as before: by this name the caller finds what was done already.
func (tx *Tx) LeaseKey(ctx context.Context, a *Answer) (fresh bool, err error) {
	now, err := tx.Clock(ctx)
	if err != nil {
		return false, err
	}
	until := now.Add(KeyLease)
	asked := a.RequestHash
	a.Work, a.LeasedUntil = rand.Text(), &until
	fresh, err = tx.ReserveKey(ctx, a)
	if err != nil || fresh || a.Status != 0 {
		return fresh, err
	}
	if a.LeasedUntil == nil || a.LeasedUntil.After(now) {
		return false, ErrInProgress
	}
	if a.RequestHash != asked {
		return false, nil
	}
	taken, err := tx.setSome(ctx, &Answer{}, map[string]any{"leased_until": until}, "id = ? AND status = 0 AND leased_until <= ?", a.ID, now)
	if err == nil && taken == 0 {
		return false, ErrInProgress
	}
	return true, err
}

// RenewKey renews the lease of work that still goes on.
func (tx *Tx) RenewKey(ctx context.Context, a Answer) error {
	return tx.leaseKeyFor(ctx, a, KeyLease)
}

// EndLease lets the next request with the key take over the work at once.
func (tx *Tx) EndLease(ctx context.Context, a Answer) error { return tx.leaseKeyFor(ctx, a, 0) }

// EndLeases ends all leases on keys. Only a program that works alone on its database may do so when it starts: those who
// held them are dead (rule S6).
func (tx *Tx) EndLeases(ctx context.Context) error {
	now, err := tx.Clock(ctx)
	if err != nil {
		return err
	}
	return tx.set(ctx, &Answer{}, map[string]any{"leased_until": now}, "status = 0 AND leased_until > ?", now)
}

func (tx *Tx) leaseKeyFor(ctx context.Context, a Answer, d time.Duration) error {
	now, err := tx.Clock(ctx)
	if err != nil {
		return err
	}
	return tx.set(ctx, &Answer{}, map[string]any{"leased_until": now.Add(d)}, "id = ? AND status = 0", a.ID)
}

// FinishLeased keeps the answer of leased work. If another process has taken the work over and finished it, FinishLeased
// changes nothing and returns that process's answer. The answer's age counts from now; that of a form, from when it was sent.
func (tx *Tx) FinishLeased(ctx context.Context, a Answer) (Answer, error) {
	answer := map[string]any{"status": a.Status, "location": a.Location, "media_type": a.MediaType, "body": a.Body}
	if !strings.HasPrefix(a.IdempotencyKey, FormKeys) {
		answer["created_at"] = tx.Now
	}
	if err := tx.set(ctx, &Answer{}, answer, "id = ? AND status = 0", a.ID); err != nil {
		return Answer{}, err
	}
	return readOne[Answer](tx.with(ctx).Where("id = ?", a.ID), "idempotency key")
}

// Clock returns the time by the database's clock, which all processes share. It is real time, also on a test clock.
func (r reads) Clock(ctx context.Context) (time.Time, error) {
	query := "SELECT CAST(" + serverTime + " AS CHAR)"
	if dialect(r.db.Name()) == dialectSQLite {
		query = "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')"
	}
	text, err := scan[string](r.with(ctx).Raw(query))
	if err != nil {
		return time.Time{}, err
	}
	return time.Parse(time.DateTime, text)
}
