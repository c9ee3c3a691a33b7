package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"purr/models"
)

// Hold says that the installation was restored or copied, and since when it waits for a person to accept that. A held
// installation sends nothing, makes no run and gives no number (rule O3).
type Hold struct {
	Since  time.Time
	Reason string
}

// ErrHeld refuses what a held installation does not do.
var ErrHeld error = models.Conflict("held", "this installation was restored or copied and is held: purr restore accept ends that")

// The settings of a hold. acceptedName is there for each creditor that a person has accepted while others still wait.
const (
	heldName     = "held"
	acceptedStem = "held:accepted:"
)

func acceptedName(creditorID int64) string { return fmt.Sprint(acceptedStem, creditorID) }

// notHeld is true if nothing is held, or if the creditor is accepted whose acceptedName is its argument.
const notHeld = "NOT EXISTS (SELECT 1 FROM settings WHERE name = '" + heldName + "' AND NOT EXISTS (SELECT 1 FROM settings WHERE name = ?))"

// Hold returns the installation's hold, and false if it is not held.
func (r reads) Hold(ctx context.Context) (Hold, bool, error) {
	value, err := r.Setting(ctx, heldName)
	if err != nil || value == "" {
		return Hold{}, false, err
	}
	since, reason, _ := strings.Cut(value, " ")
	at, err := time.Parse(time.RFC3339, since)
	if err != nil {
		return Hold{}, false, fmt.Errorf("read the setting %s: %w", heldName, err)
	}
	return Hold{at, reason}, true, nil
}

// RefuseIfHeld fails with ErrHeld while the installation is held.
func (r reads) RefuseIfHeld(ctx context.Context) error {
	_, held, err := r.Hold(ctx)
	if err == nil && held {
		return ErrHeld
	}
	return err
}

// SetHold holds the installation. It changes nothing if the installation is held already.
func (tx *Tx) SetHold(ctx context.Context, reason string) error {
	if _, held, err := tx.Hold(ctx); err != nil || held {
		return err
	}
	value := tx.Now.UTC().Format(time.RFC3339) + " " + models.Shorten(reason, 400)
	return tx.SetSetting(ctx, heldName, value)
}

// Accept lets a creditor of a held installation have numbers again.
func (tx *Tx) Accept(ctx context.Context, c models.Creditor) error {
	return tx.SetSetting(ctx, acceptedName(c.ID), "1")
}

// EndHold ends the hold.
func (tx *Tx) EndHold(ctx context.Context) error {
	return classify(tx.with(ctx).Where("name = ? OR name LIKE ?", heldName, acceptedStem+"%").Delete(&setting{}).Error, "")
}

// Unaccepted returns the creditors of a held installation that are still held.
func (r reads) Unaccepted(ctx context.Context) ([]models.Creditor, error) {
	creditors, err := r.Creditors(ctx)
	if err != nil {
		return nil, err
	}
	accepted, err := readBy(r.with(ctx).Where("name = ? OR name LIKE ?", heldName, acceptedStem+"%"), func(s setting) string { return s.Name })
	if err != nil {
		return nil, err
	}
	if _, held := accepted[heldName]; !held {
		return nil, nil
	}
	var waiting []models.Creditor
	for _, c := range creditors {
		if _, is := accepted[acceptedName(c.ID)]; !is {
			waiting = append(waiting, c)
		}
	}
	return waiting, nil
}
