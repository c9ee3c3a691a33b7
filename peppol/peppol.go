// Package peppol knows the network over which e-invoices go: its identifiers, its envelope, how to look up what a business
// receives, and how to talk to an access point. It knows nothing of the database or the queue, and it is no access point
// itself.
package peppol

import (
	"fmt"

	"github.com/google/uuid"
)

// instances is the name space of instance IDs, a random UUID. It never changes: an access point recognises by it what it
// has already.
var instances = uuid.MustParse("5d1c8d4b-6a0e-4c57-9f0b-3a9d7f2f6f1e")

// InstanceID returns the UUID (version 5) of a shipment of an installation: the same one at each attempt, and no other
// shipment's (rule H3a).
func InstanceID(installation string, shipmentID int64) string {
	return uuid.NewSHA1(instances, fmt.Appendf(nil, "%s/%d", installation, shipmentID)).String()
}
