package app

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"purr/config"
	"purr/mailer"
	"purr/peppol"
	"purr/remote"
	"purr/rest"
	"purr/webhook"
)

// ehfChannel returns the way of e-invoices (rule H3). It connects to nothing.
func (a *App) ehfChannel(cfg config.Config) (mailer.Channel, error) {
	e := cfg.EHF
	scheme, rest, _ := strings.Cut(e.URL, ":")
	switch {
	case scheme == "" || scheme == "file":
		folder, err := peppol.NewFolder(cmp.Or(strings.TrimPrefix(rest, "//"), filepath.Join(cfg.Data, "outbox", "ehf")), e.Enveloped)
		if err != nil {
			return nil, err
		}
		a.swept(folder.Sweep)
		return folder, nil
	case scheme == "sftp":
		server, err := remote.NewServer(remoteAccess(e.Folder, config.EHFPrefix))
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

// templateChannel returns the way to an access point's own REST interface.
func templateChannel(e config.EHF) (mailer.Channel, error) {
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
func newLookup(p config.Peppol) (peppol.Lookup, error) {
	switch p.Lookup {
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
