package access

import (
	"time"

	"purr/internal/config"
)

// Settings say how long people stay signed in.
type Settings struct {
	Idle time.Duration // how long a session of the console lasts without use
}

// Declare returns the settings of sessions.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{Key: "console-idle", Default: "8h", Help: "how long a person stays signed in to the console without using it, at most 7 days", Set: config.Duration(&s.Idle, 5*time.Minute, SessionMost, "from 5m to 168h, such as 8h")}}
}
