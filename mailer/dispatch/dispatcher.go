package dispatch

import (
	"context"
	"log/slog"

	"purr/documents"
	"purr/internal/clock"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// Dispatcher sends shipments, by the load or by the batch. All fields must be set unless their comment says otherwise.
type Dispatcher struct {
	shipments.Part
	DB        *store.DB
	Documents *documents.Store
	Channels  map[models.ShipmentMethod]mailer.Channel
	Shop      *letters.Shop                                                                  // nil if letters leave one by one, by their channel
	EHF       func(ctx context.Context, creditorID int64, d models.Document) ([]byte, error) // the document as UBL
	Lookup    peppol.Lookup                                                                  // nil if the network is not asked what customers receive
	BounceKey string                                                                         // makes the tags of e-mails (see shipments.Tag)
	MailRate  float64                                                                        // the most e-mails a second of one creditor; 0 is no limit
	Look      shipments.SecondLook                                                           // before the letter of a notice leaves
	Clock     clock.Clock
	Wall      clock.Clock // by which e-mails take turns; nil for the database's time
	Log       *slog.Logger
}

// RetryLetters has the letters sent again that were given up, if what takes them says that it works again (rule L2).
func (d *Dispatcher) RetryLetters(ctx context.Context, creditorID int64) error {
	takes, can := d.Channels[models.ByPaper].(mailer.Checker)
	if d.Shop != nil {
		takes, can = d.Shop, true
	}
	if !can {
		return nil
	}
	return shipments.RetryGivenUp(ctx, d.DB, creditorID, takes.Check)
}
