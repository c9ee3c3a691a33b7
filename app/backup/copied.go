package backup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"purr/internal/clock"
	"purr/internal/storage"
	"purr/models"
	"purr/store"
)

const (
	homeSetting     = "home"          // which file the database is; see movedHome
	acceptedSetting = "held_accepted" // when a hold was ended last
)

// HoldCopies holds an installation that shows that it is a copy of another one, or that its database is older than its
// outbox. Its owner would otherwise send again, and give numbers again, what the original has sent and given since. It
// returns the reason, and nothing for an installation that is held already or shows nothing. outbox is where its outbox lies.
//
// It errs on the side of working: what it cannot see for certain does not hold an installation.
func HoldCopies(ctx context.Context, db *store.DB, databaseURL string, outbox storage.Place) (reason string, err error) {
	if _, held, err := db.Hold(ctx); err != nil || held {
		return "", err
	}
	file, err := store.SQLiteFile(databaseURL)
	if err != nil {
		return "", err
	}
	if file != "" {
		if reason, err = movedHome(ctx, db, file); err != nil {
			return "", err
		}
	}
	if reason == "" {
		if reason, err = olderThanOutbox(ctx, db, outbox); err != nil {
			return "", err
		}
	}
	if reason == "" {
		return "", nil
	}
	return reason, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetHold(ctx, reason) })
}

// AcceptOutbox notes that what lies in the outbox now tells nothing of the database: a person has begun a new installation there.
func AcceptOutbox(ctx context.Context, tx *store.Tx) error {
	return tx.SetSetting(ctx, acceptedSetting, clock.System{}.Now().UTC().Format(time.RFC3339))
}

// olderThanOutbox returns a reason if the newest files in the outbox are of shipments that the database has not made or
// never tried. A database that has lost nothing knows every attempt, because it is on the disk before the file is. What a person
// has accepted before is no reason.
func olderThanOutbox(ctx context.Context, db *store.DB, outbox storage.Place) (string, error) {
	const newest = 500
	left, err := leftFiles(ctx, db, outbox, newest, func(s models.Shipment) bool {
		return s.State == models.ShipmentOwed && s.Attempts == 0 && s.RetriedAt == nil && (s.Reason == "" || s.HeldFor != 0)
	})
	if err != nil || len(left) == 0 {
		return "", err
	}
	accepted, err := db.Setting(ctx, acceptedSetting)
	if err != nil {
		return "", err
	}
	for _, f := range left {
		if f.At.UTC().Format(time.RFC3339) > accepted {
			return fmt.Sprintf("its outbox holds %s, which its database does not know to have left: the database is older than the outbox", f.Name), nil
		}
	}
	return "", nil
}

// movedHome returns a reason if the database's file is not the one that the program last ran on. A file keeps its inode
// and its birth when the folder is renamed, the container is made anew, the machine is started again or a snapshot of
// the disk is put back. A copy has another inode and another birth. Where the system does not tell both, nothing is
// concluded. The first start notes the file.
func movedHome(ctx context.Context, db *store.DB, file string) (string, error) {
	now := home(file)
	noted, err := db.Setting(ctx, homeSetting)
	if err != nil || now == noted || now == "" {
		return "", err
	}
	inode, birth, _ := strings.Cut(noted, " ")
	nowInode, nowBirth, _ := strings.Cut(now, " ")
	if noted != "" && inode != nowInode && birth != nowBirth {
		return "its database is a copy of the file that purr last ran on", nil
	}
	return "", db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetSetting(ctx, homeSetting, now) })
}
