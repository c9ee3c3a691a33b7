package config

// Collector is the folder of the debt collector that collection bundles are put into.
type Collector struct {
	URL      string // sftp://USER@HOST:PORT/FOLDER; empty for files in DATA/outbox/collection
	KeyFile  string // path of the user's private key
	Password string // of the user
	HostKey  string // SHA256:FINGERPRINT, lines of a known_hosts file, or public keys
}

// CollectorPrefix is what the names of the settings of the debt collector's folder begin with.
const CollectorPrefix = "collection-sftp"

// collector is what the commands take that deliver to the debt collector.
var collector = []setting{
	{CollectorPrefix + "-url", "", "folder of the debt collector, sftp://USER@HOST:PORT/FOLDER, or /~/FOLDER in the user's own (default: files in the data folder)", text(func(c *Config) *string { return &c.Collector.URL })},
	{CollectorPrefix + "-key-file", "", "private key to sign in with there, without a passphrase", file(func(c *Config) *string { return &c.Collector.KeyFile })},
	{CollectorPrefix + "-password", "", "password to sign in with there", text(func(c *Config) *string { return &c.Collector.Password })},
	{CollectorPrefix + "-host-key", "", "host key that the debt collector's server must have: SHA256:FINGERPRINT, or a line of a known_hosts file", text(func(c *Config) *string { return &c.Collector.HostKey })},
}
