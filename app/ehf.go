package app

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"purr/internal/remote"
	"purr/mailer"
	"purr/mailer/peppol"
	"purr/mailer/rest"
	"purr/mailer/shipments/receipts"
	"purr/mailer/webhook"
	"purr/models"
)

// ehfChannel returns the way of e-invoices (rule H3). It connects to nothing.
func (a *App) ehfChannel(cfg Settings) (mailer.Channel, error) {
	e := cfg.EHF
	switch {
	case e.InFolder():
		folder, err := peppol.NewFolder(ehfFolder(cfg), e.Enveloped)
		if err != nil {
			return nil, err
		}
		a.swept(folder.Sweep)
		return folder, nil
	case e.BySFTP():
		server, err := remote.NewServer(e.Access)
		if err != nil {
			return nil, err
		}
		return peppol.NewSFTP(server, e.Enveloped), nil
	case peppol.IsAccessPoint(e.URL):
		point, err := peppol.NewAccessPoint(e.URL, e.Secret, e.Enveloped)
		if err != nil {
			return nil, fmt.Errorf("ehf-url: %w", err)
		}
		return point, nil
	}
	return templateChannel(e)
}

// ehfFolder returns the folder of this machine that e-invoices go to.
func ehfFolder(cfg Settings) string {
	path := strings.TrimPrefix(strings.TrimPrefix(cfg.EHF.URL, "file:"), "//")
	return cmp.Or(path, filepath.Join(cfg.Data, "outbox", "ehf"))
}

// receiptWays returns the ways out whose other side gives receipts (rule S4a): letters by SFTP, e-invoices by a folder or SFTP.
func receiptWays(cfg Settings) (ways []*receipts.Way, err error) {
	if cfg.Letters.Scheme() == "sftp" {
		server, err := remote.NewServer(cfg.Letters.Access)
		if err != nil {
			return nil, err
		}
		ways = append(ways, receipts.FromServer(models.ByPaper, server, cfg.Letters.Every))
	}
	switch {
	case cfg.EHF.InFolder():
		ways = append(ways, receipts.FromFolder(models.ByEHF, ehfFolder(cfg), cfg.EHF.Every))
	case cfg.EHF.BySFTP():
		server, err := remote.NewServer(cfg.EHF.Access)
		if err != nil {
			return nil, err
		}
		ways = append(ways, receipts.FromServer(models.ByEHF, server, cfg.EHF.Every))
	}
	return ways, nil
}

// templateChannel returns the way to an access point's own REST interface.
func templateChannel(e peppol.Settings) (mailer.Channel, error) {
	text, err := os.ReadFile(e.Template)
	if err != nil {
		return nil, fmt.Errorf("ehf-template: %w", err)
	}
	t, err := rest.Parse(e.URL, text, e.Secret)
	if err != nil {
		return nil, fmt.Errorf("ehf-url, ehf-template: %w", err)
	}
	return peppol.NewREST(rest.NewService(t), e.Enveloped), nil
}

// newLookup returns what asks the network, or nil if nothing does.
func newLookup(p peppol.LookupSettings) (peppol.Lookup, error) {
	switch p.By {
	case "dns":
		d, err := peppol.NewDNS(p.Zone, p.DNS, webhook.Public)
		if err != nil {
			return nil, fmt.Errorf("peppol-zone, peppol-dns: %w", err)
		}
		return d, nil
	case "directory":
		d, err := peppol.NewDirectory(p.Directory)
		if err != nil {
			return nil, fmt.Errorf("peppol-directory: %w", err)
		}
		return d, nil
	}
	return nil, nil //nolint:nilnil // none is wanted
}
