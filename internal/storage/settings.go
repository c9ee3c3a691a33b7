package storage

import "purr/internal/config"

// Settings say where an installation keeps its files (rule K2).
type Settings struct {
	URL string // file:///PATH or s3://BUCKET/PREFIX?…; empty for the data folder
}

// Declare returns the settings of storage.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{
		Key: "storage-url", Set: s.set,
		Help: "where archive, outboxes, inbox and reports lie: file:///PATH or s3://BUCKET/PREFIX?region=…&endpoint=…; keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a file or the machine's role (default: the data folder)",
	}}
}

func (s *Settings) set(value string) error {
	if value != "" {
		if _, err := Parse(value); err != nil {
			return SetupError{err}
		}
	}
	s.URL = value
	return nil
}
