package dispatch

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"purr/documents"
	"purr/internal/clock"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/mailer/shipments"
	"purr/mailer/ways/own"
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
	Own       *own.Ways                                                                      // the creditors' own ways, before those above; nil if they have none
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
	out, err := d.waysOf(ctx, d.DB, creditorID)
	if err != nil {
		return err
	}
	way := out.Now(models.ByPaper)
	takes, can := way.Channel.(mailer.Checker)
	if way.Shop != nil {
		takes, can = way.Shop, true
	}
	if !can {
		return nil
	}
	return shipments.RetryGivenUp(ctx, d.DB, creditorID, takes.Check)
}

// waysOf returns the ways out of a creditor: its own, else those of the dispatcher.
func (d *Dispatcher) waysOf(ctx context.Context, from own.Reader, creditorID int64) (own.Out, error) {
	installation := own.Installation{}
	for _, m := range models.ShipmentMethods {
		way := own.Way{Kind: d.Ways.Of(m), Channel: d.Channels[m]}
		if slices.Contains(models.BatchMethods, m) {
			way.Shop = d.Shop
		}
		installation[m] = way
	}
	return d.Own.Of(ctx, from, creditorID, installation)
}

// partOf returns how a creditor's shipments leave.
func partOf(part shipments.Part, out own.Out) shipments.Part {
	paper := out.Now(models.ByPaper)
	part.Ways, part.Sender = out.Kinds(part.Ways), cmp.Or(out.Now(models.ByEmail).Sender, part.Sender)
	part.Batches, part.OneByOne, part.OwnLetters = paper.ID, paper.Shop == nil, out.Had(models.ByPaper)
	return part
}

// wayOf returns the way by which a shipment leaves that was taken.
func wayOf(out own.Out, s models.Shipment) own.Way {
	way, known := out.By(s.Method, s.Way)
	if !known {
		return own.Gone(s.Way)
	}
	return way
}
