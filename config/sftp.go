package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"
)

// SFTP is the folder at the bank that payment files are fetched from.
type SFTP struct {
	URL      string        // sftp://USER@HOST:PORT/FOLDER; empty where nothing is fetched
	KeyFile  string        // path of the user's private key
	Password string        // of the user
	HostKey  string        // SHA256:FINGERPRINT, lines of a known_hosts file, or public keys
	After    string        // what becomes of a fetched file: leave, move or delete
	Every    time.Duration // between two looks into the folder
}

// sftp is what the commands take that fetch files from the bank.
var sftp = []setting{
	{"sftp-url", "", "folder at the bank that payment files are fetched from, sftp://USER@HOST:PORT/FOLDER, or /~/FOLDER in the user's own (default: none)", sftpURL},
	{"sftp-key-file", "", "private key to sign in with there, without a passphrase", file(func(c *Config) *string { return &c.SFTP.KeyFile })},
	{"sftp-password", "", "password to sign in with there", text(func(c *Config) *string { return &c.SFTP.Password })},
	{"sftp-host-key", "", "host key that the bank's server must have: SHA256:FINGERPRINT, or a line of a known_hosts file", text(func(c *Config) *string { return &c.SFTP.HostKey })},
	{"sftp-after", "leave", "what becomes of a file there once it is fetched: leave, move (to the folder fetched) or delete", oneOf(func(c *Config) *string { return &c.SFTP.After }, "leave", "move", "delete")},
	{"sftp-every", "15m", "how often to look for files there", sftpEvery},
}

// AddSFTP adds the flags of the bank's folder, which AddServer adds too.
func AddSFTP(flags *pflag.FlagSet) { add(flags, sftp...) }

func sftpURL(c *Config, value string) error {
	const most = 500 // characters, as the database keeps
	if len(value) > most {
		return fmt.Errorf("must be at most %d characters long", most)
	}
	c.SFTP.URL = value
	return nil
}

func sftpEvery(c *Config, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d < time.Minute || d > 24*time.Hour {
		return errors.New("must be a duration from 1m to 24h, such as 15m")
	}
	c.SFTP.Every = d
	return nil
}
