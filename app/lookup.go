package app

import (
	"fmt"

	"purr/mailer/peppol"
)

// newLookup returns what asks the network, or nil if nothing does.
func newLookup(p peppol.LookupSettings) (peppol.Lookup, error) {
	switch p.By {
	case "dns":
		d, err := peppol.NewDNS(p.Zone, p.DNS)
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
