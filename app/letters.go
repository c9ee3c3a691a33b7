package app

import (
	"fmt"
	"os"

	"purr/internal/remote"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/rest"
)

// lettersChannel returns the channel by which letters leave one by one: a printer, a print house, or else the outbox. It is
// nil if they leave in batches, to a print shop.
func lettersChannel(cfg letters.Settings, outbox *mailer.Outbox) (mailer.Channel, error) {
	switch cfg.Scheme() {
	case "sftp":
		return nil, nil //nolint:nilnil // see above
	case "ipp", "ipps":
		printer, err := letters.NewPrinter(cfg.URL, cfg.Password)
		if err != nil {
			return nil, fmt.Errorf("letters-url: %w", err)
		}
		return printer, nil
	case "https", "http":
		file, err := os.ReadFile(cfg.Template)
		if err != nil {
			return nil, fmt.Errorf("letters-template: %w", err)
		}
		template, err := rest.Parse(cfg.URL, file, cfg.Secret)
		if err != nil {
			return nil, fmt.Errorf("letters-url, letters-template: %w", err)
		}
		return letters.NewPrintHouse(rest.NewService(template)), nil
	}
	return outbox.Paper(), nil
}

// printShop returns the print shop to which letters leave in batches, or nil if there is none.
func printShop(cfg letters.Settings) (*letters.Shop, error) {
	if cfg.Scheme() != "sftp" {
		return nil, nil //nolint:nilnil // see above
	}
	server, err := remote.NewServer(cfg.Access)
	if err != nil {
		return nil, err
	}
	return letters.NewShop(server), nil
}
