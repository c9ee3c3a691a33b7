package archive

import "purr/internal/config"

// Settings say how full the archive's disk may be.
type Settings struct {
	MinFree int64 // bytes that must be free for a file to be taken; 0 sets no bound
}

// Declare returns the settings of the archive.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{Key: "min-free-disk", Default: "1GiB", Help: "room that must be left on the disk for an upload or a file of the inbox to be taken, such as 500MiB or 0", Set: config.Bytes(&s.MinFree)}}
}
