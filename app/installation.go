package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"purr/clock"
	"purr/config"
	"purr/store"
)

// Migrate brings the schema of the configured database up to date and returns its version (rule R2).
func Migrate(ctx context.Context, cfg config.Config) (version int64, err error) {
	if cfg.Embedded() {
		if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
			return 0, err
		}
	}
	db, err := store.Open(cfg.DatabaseURL, clock.System{})
	if err != nil {
		return 0, fmt.Errorf("database-url: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Migrate(ctx)
}
