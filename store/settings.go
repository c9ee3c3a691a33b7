package store

import (
	"strings"

	"purr/internal/config"
)

// Settings say which database there is, and how many connections a process takes.
type Settings struct {
	URL         string // sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/NAME
	Connections int    // to the database's server, of this process; 0 for as many as suit
}

// DeclareURL returns the setting of the database.
func (s *Settings) DeclareURL() []config.Setting {
	return []config.Setting{{Key: "database-url", Help: "database, mysql://USER:PASSWORD@HOST:PORT/NAME (default: an SQLite file in the data folder)", Set: config.Text(&s.URL)}}
}

// DeclareConnections returns the setting of the connections, which processes that run on have.
func (s *Settings) DeclareConnections() []config.Setting {
	return []config.Setting{{Key: "database-connections", Help: "most connections to a MySQL server that this process takes, from 8 (default: 48, fewer if the server has fewer than 120)", Set: s.setConnections}}
}

func (s *Settings) setConnections(value string) error {
	if value == "" {
		return nil
	}
	return config.Whole(&s.Connections, 8, 10_000)(value)
}

// Embedded reports whether the database is an SQLite file. The program migrates the schema of such a file itself.
func (s *Settings) Embedded() bool { return strings.HasPrefix(s.URL, "sqlite:") }
