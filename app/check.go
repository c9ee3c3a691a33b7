package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"purr/app/backup"
	"purr/app/certificate"
	"purr/app/operator"
	"purr/internal/clock"
	"purr/internal/config"
	"purr/jobs"
	"purr/mailer/ways"
	"purr/models"
	"purr/store"
)

// tryLimit is how long one server may take to answer a check.
const tryLimit = 20 * time.Second

// check looks at settings, and tries what they name.
type check struct {
	cfg   Settings
	parts Parts
	mu    sync.Mutex   // guards the rows
	rows  []config.Row // one a setting
}

// CheckSettings reads the settings whose flags were added as the parts would, and tries what they name: folders, files, the database,
// Redis, the address to listen on, and the servers of the ways. It makes no installation, starts nothing and sends nothing. It returns a
// row for each setting, with all that is wrong (rule Q2).
func CheckSettings(ctx context.Context, flags *pflag.FlagSet, lookup func(string) (string, bool), parts Parts, isNew bool) []config.Row {
	c := &check{parts: parts}
	c.rows = config.Look(flags, lookup, c.cfg.all())
	c.cfg.inData()
	c.cfg.New = isNew
	if c.right("data", "database-url") {
		if err := becomeOwner(c.cfg); err != nil {
			c.tell("data", err)
			return c.rows
		}
		c.folders()
	}
	c.machine(ctx)
	c.servers(ctx)
	return c.rows
}

// right reports whether nothing is wrong with settings in themselves.
func (c *check) right(keys ...string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.rows {
		for _, key := range keys {
			if r.Key == key && len(r.Wrong) > 0 {
				return false
			}
		}
	}
	return true
}

// isSet reports whether a setting has a value.
func (c *check) isSet(key string) bool {
	return slices.ContainsFunc(c.rows, func(r config.Row) bool { return r.Key == key && r.Value != "" })
}

// tell tells of an error in the row of the settings that it names, or else of the key.
func (c *check) tell(key string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	config.Tell(c.rows, key, err)
}

// errNotTried is told of a setting that cannot be tried.
var errNotTried = errors.New("not tried, because a setting that it is used with is wrong")

// folders tries the folders that the installation is in.
func (c *check) folders() {
	c.tell("data", backup.CheckFinished(c.cfg.Data))
	c.tell("data", c.installation())
	c.tell("data", mayWrite(c.cfg.Data))
	if c.right("inbox") {
		c.tell("inbox", checkInbox(c.cfg))
		if !inboxInStorage(c.cfg) {
			c.tell("inbox", mayWrite(c.cfg.Inbox.Folder))
		}
	}
}

// machine tries what else is on this machine.
func (c *check) machine(ctx context.Context) {
	if c.cfg.Rules != "" {
		_, err := operator.ReadRules(c.cfg.Rules)
		c.tell("rules", err)
	}
	if !c.parts.API && c.cfg.Listen == "" {
		return
	}
	if c.right("tls-certificate", "tls-key") && c.cfg.Certificate.ChainFile != "" {
		_, err := certificate.Load(c.cfg.Certificate.ChainFile, c.cfg.Certificate.KeyFile, clock.System{}, slog.New(slog.DiscardHandler))
		c.tell("tls-certificate", err)
	}
	if c.right("listen") {
		c.tell("listen", mayListen(ctx, c.cfg.Listen))
	}
}

// installation fails if the parts need an installation that is not there: only serve begins one by itself, and only on an SQLite file.
func (c *check) installation() error {
	switch {
	case c.parts == All:
		return nil
	case c.cfg.Database.Embedded():
		return mustExist(c.cfg, databaseFile(c.cfg))
	}
	if archiveFolder(c.cfg) == "" {
		return nil // the schema tells
	}
	if err := mustExist(c.cfg, archiveFolder(c.cfg)); err != nil {
		return fmt.Errorf("%w; purr migrate makes one", err)
	}
	return nil
}

// mayWrite fails if files cannot be written into a folder, or the folder is missing and cannot be made. It leaves nothing behind.
func mayWrite(folder string) error {
	path, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	for isMissing(path) && path != filepath.Dir(path) {
		path = filepath.Dir(path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", path)
	}
	file, err := os.CreateTemp(path, ".purr-check-*")
	if err != nil {
		return fmt.Errorf("nothing can be written into %s: %w", path, err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// mayListen fails if the address is not free.
func mayListen(ctx context.Context, address string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("the port of %s is in use: another program listens there, or purr itself", address)
	}
	if err != nil {
		return err
	}
	return listener.Close()
}

// servers tries what answers over a network, all at once.
func (c *check) servers(ctx context.Context) {
	type try struct {
		key string
		of  []string // the settings that must be right in themselves for it
		do  func(context.Context) error
	}
	tries := []try{
		{"database-url", []string{"data", "database-url"}, c.database},
		{"redis-url", []string{"redis-url"}, c.redis},
		{"storage-url", []string{"storage-url"}, func(ctx context.Context) error { return tryStorage(ctx, c.cfg) }},
		{"peppol-lookup", []string{"peppol-lookup"}, func(context.Context) error { _, err := newLookup(c.cfg.Lookup); return err }},
		{"sftp-url", signInKeys("sftp"), func(ctx context.Context) error { return tryBank(ctx, c.cfg) }},
		{"dkim-key", signatureKeys, func(context.Context) error { return ways.CheckSignature(c.cfg.Mail.Signature) }},
	}
	for _, m := range models.WayMethods {
		tries = append(tries, try{wayPrefix(c.cfg, m) + "-url", wayKeys(c.cfg, m), func(ctx context.Context) error { return tryWay(ctx, c.cfg, m) }})
	}
	var all sync.WaitGroup
	for _, t := range tries {
		if !c.right(t.of...) {
			if c.right(t.key) && c.isSet(t.key) {
				c.tell(t.key, errNotTried)
			}
			continue
		}
		all.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, tryLimit)
			defer cancel()
			err := t.do(ctx)
			c.tell(t.key, err)
			if err != nil && c.right(t.key) && c.isSet(t.key) {
				c.tell(t.key, errNotTried)
			}
		})
	}
	all.Wait()
}

// database opens the database, and looks at its schema. It makes no file and writes no row.
func (c *check) database(ctx context.Context) (err error) {
	if file, err := store.SQLiteFile(c.cfg.Database.URL); err != nil || (file != "" && isMissing(file)) {
		if err == nil && c.parts == All {
			err = errors.Join(notLost(ctx, c.cfg), mayWrite(filepath.Dir(file)))
		}
		return err
	}
	db, err := store.OpenWith(c.cfg.Database.URL, clock.System{}, store.Connections{Command: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if c.cfg.Database.Embedded() {
		err = db.CheckNotNewer(ctx)
	} else {
		err = db.CheckSchema(ctx)
	}
	if err != nil || db.CheckSchema(ctx) != nil { // an older one has not all tables yet; serve migrates it
		return err
	}
	return c.rowsOf(ctx, db)
}

// rowsOf asks the database whether the installation may go on with these settings.
func (c *check) rowsOf(ctx context.Context, db *store.DB) error {
	empty, err := db.Empty(ctx)
	if err != nil {
		return err
	}
	if empty {
		if err := notLost(ctx, c.cfg); err != nil {
			return err
		}
	}
	if c.right("test-clock") {
		_, _, err = savedClock(ctx, db, c.cfg, c.parts)
		c.tell("test-clock", err)
	}
	id, err := db.Setting(ctx, "installation")
	if err != nil || !c.right("storage-url") {
		return err
	}
	in, err := OpenStorage(ctx, c.cfg)
	if err == nil {
		_, err = inboxOwner(ctx, c.cfg, inboxPlace(c.cfg, in), id)
	}
	return err
}

func (c *check) redis(ctx context.Context) error {
	if c.cfg.RedisURL == "" {
		if c.parts != All {
			return errNoRedis
		}
		return nil
	}
	opts, err := redisOptions(c.cfg.RedisURL)
	if err != nil {
		return err
	}
	client := newClient(opts)
	return errors.Join(jobs.NewQueue(client, slog.New(slog.DiscardHandler)).Ping(ctx), client.Close())
}
