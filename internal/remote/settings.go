package remote

import (
	"fmt"
	"time"

	"purr/internal/config"
)

// Declare returns the settings of a folder: what is in it, and what is done without one. Their names begin with the prefix.
func (a *Access) Declare(prefix, what, without string) []config.Setting {
	return append([]config.Setting{
		{Key: prefix + "-url", Help: what + ", sftp://USER@HOST:PORT/FOLDER, or /~/FOLDER in the user's own (default: " + without + ")", Set: a.SetURL},
	}, a.DeclareSignIn(prefix)...)
}

// DeclareSignIn returns those of them that say how to sign in.
func (a *Access) DeclareSignIn(prefix string) []config.Setting {
	a.Prefix = prefix
	return []config.Setting{
		{Key: prefix + "-key-file", Help: "private key to sign in with there, without a passphrase", Set: config.File(&a.KeyFile)},
		{Key: prefix + "-password", Secret: true, Help: "password to sign in with there", Set: config.Text(&a.Password)},
		{Key: prefix + "-host-key", Help: "host key of the server there: SHA256:FINGERPRINT, or a line of a known_hosts file", Set: config.Text(&a.HostKey)},
	}
}

// SetURL sets the URL, and checks only that the database can keep it. NewServer reads it closer.
func (a *Access) SetURL(value string) error {
	const most = 500 // characters; the database keeps no more
	if len(value) > most {
		return fmt.Errorf("must be at most %d characters long", most)
	}
	a.URL = value
	return nil
}

// PollPause takes the pause between two polls of a folder.
func PollPause(field *time.Duration) func(string) error {
	return config.Duration(field, time.Minute, 24*time.Hour, "from 1m to 24h, such as 15m")
}
