package webhook

import "purr/internal/config"

// Settings say where webhooks may post to.
type Settings struct {
	Private bool // also to addresses that are not public
}

// Declare returns the settings of webhooks.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{{Key: "webhook-private-addresses", Default: "off", Help: "let webhooks post to private addresses, and by the environment's proxy: on or off", Set: config.OnOff(&s.Private)}}
}
