package jobs

import "purr/internal/config"

// Settings say how a worker works.
type Settings struct {
	Concurrency int // jobs at once
}

// Declare returns the settings of a worker.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{Key: "concurrency", Default: "8", Help: "background jobs at once", Set: config.Whole(&s.Concurrency, 1, 1000)}}
}
