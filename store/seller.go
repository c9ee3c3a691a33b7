package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"

	"purr/models"
)

// seller is a row of what documents show of a creditor. It is never changed.
type seller struct {
	ID         int64
	CreditorID int64
	Content    string        // the SHA-256 of the seller, in hex
	Seller     models.Seller `gorm:"embedded"`
	CreatedAt  time.Time
}

// SellersByID returns what the creditor's documents show, by the IDs that the documents name.
func (r reads) SellersByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Seller, error) {
	found, err := readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), func(s seller) int64 { return s.ID })
	if err != nil {
		return nil, err
	}
	sellers := make(map[int64]models.Seller, len(found))
	for id, s := range found {
		sellers[id] = s.Seller
	}
	return sellers, nil
}

// KnownSeller is what a creditor was at a time.
type KnownSeller struct {
	models.Seller
	Since time.Time // when it was first kept
}

// SellersOf returns up to 100 of what the creditor's documents show, oldest first.
func (r reads) SellersOf(ctx context.Context, creditorID int64) ([]KnownSeller, error) {
	found, err := readAll[seller](r.with(ctx).Where("creditor_id = ?", creditorID).Order("created_at, id").Limit(100))
	if err != nil {
		return nil, err
	}
	sellers := make([]KnownSeller, len(found))
	for i, s := range found {
		sellers[i] = KnownSeller{s.Seller, s.CreatedAt}
	}
	return sellers, nil
}

// KeepSeller returns the ID by which a document of the creditor names what it shows (rule D112). It writes what no document
// has shown before. Mostly it asks nothing of the database: a row that was found once is there for ever.
func (tx *Tx) KeepSeller(ctx context.Context, creditorID int64, s models.Seller) (int64, error) {
	key := sellerKey{creditorID, s}
	if id, known := tx.sellers.id(key); known {
		return id, nil
	}
	content, err := json.Marshal(s)
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(content)
	row := seller{CreditorID: creditorID, Content: hex.EncodeToString(sum[:]), Seller: s, CreatedAt: tx.Now}
	kept, found, err := tx.keptSeller(ctx, row)
	if err != nil {
		return 0, err
	}
	if found {
		if tx.sellersMade[key] == 0 { // one that this transaction has made may be rolled back with it
			tx.sellers.add(key, kept.ID)
		}
		return kept.ID, nil
	}
	fresh, err := tx.insertIgnoring(ctx, &row)
	if err != nil {
		return 0, err
	}
	if !fresh { // another transaction was faster
		if kept, _, err = tx.keptSeller(ctx, row); err != nil {
			return 0, err
		}
		return kept.ID, nil
	}
	if tx.sellersMade == nil {
		tx.sellersMade = map[sellerKey]int64{}
	}
	tx.sellersMade[key] = row.ID
	return row.ID, nil
}

func (tx *Tx) keptSeller(ctx context.Context, like seller) (seller, bool, error) {
	return sellerByContent.first(ctx, tx.reads, like.CreditorID, like.Content)
}

var sellerByContent = selecting[seller]("FROM sellers WHERE creditor_id = ? AND content = ?")

// KeepSellers keeps what documents show of a creditor before and after a change: those of releases that did not keep it with each
// document are drawn with what it was on their day (rule D112).
func (tx *Tx) KeepSellers(ctx context.Context, before, after models.Creditor) error {
	if before.Seller() == after.Seller() {
		return nil
	}
	if _, err := tx.KeepSeller(ctx, before.ID, before.Seller()); err != nil {
		return err
	}
	_, err := tx.KeepSeller(ctx, after.ID, after.Seller())
	return err
}

// SetSeller lets documents of a kind that are not drawn yet show another seller, by the ID of KeepSeller.
func (tx *Tx) SetSeller(ctx context.Context, creditorID int64, kind models.DocumentKind, ids []int64, sellerID int64) error {
	return tx.set(ctx, documentModel(kind), map[string]any{"seller_id": sellerID}, "id IN ? AND creditor_id = ? AND pdf = ''", ids, creditorID)
}

// sellerKey is what KeepSeller knows a seller by.
type sellerKey struct {
	creditorID int64
	seller     models.Seller
}

// knownSellers are IDs of rows that were found. It is safe for concurrent use.
type knownSellers struct {
	mu  sync.Mutex
	ids map[sellerKey]int64
}

// mostSellers is how many IDs are kept in memory.
const mostSellers = 10_000

func (k *knownSellers) id(key sellerKey) (int64, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	id, known := k.ids[key]
	return id, known
}

func (k *knownSellers) add(key sellerKey, id int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ids == nil || len(k.ids) >= mostSellers {
		k.ids = map[sellerKey]int64{}
	}
	k.ids[key] = id
}
