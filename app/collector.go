package app

import (
	"purr/config"
	"purr/mailer"
	"purr/remote"
)

// collector returns the channel to the debt collector: the folder on its server where one is set, else the outbox.
func collector(cfg config.Collector, outbox *mailer.Outbox) (mailer.CollectorSender, error) {
	if cfg.URL == "" {
		return outbox, nil
	}
	server, err := remote.NewServer(remote.Access{
		URL: cfg.URL, KeyFile: cfg.KeyFile, Password: cfg.Password, HostKey: cfg.HostKey, Prefix: config.CollectorPrefix,
	})
	if err != nil {
		return nil, err
	}
	return mailer.NewSFTP(server), nil
}
