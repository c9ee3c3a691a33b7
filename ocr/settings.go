package ocr

import (
	"time"

	"purr/internal/config"
)

// Settings say how payment files are kept.
type Settings struct {
	KeepRejected time.Duration // the raw bytes of rejected ones; 0 is for ever
}

// Declare returns the settings of payment files.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{Key: "keep-rejected", Default: "90", Help: "days for which rejected payment files are kept; 0 keeps them for ever", Set: config.Days(&s.KeepRejected)}}
}
