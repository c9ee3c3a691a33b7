package console

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// sendAgain sends what is chosen on a card again together (rule N8): as before, to another address, or by another way.
func (s *Server) sendAgain(ctx context.Context, rq *request) (reply, error) {
	asked, err := rq.askedAgain()
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		asked := asked
		before, err := tx.ShipmentsByID(ctx, idsOfFailed(asked))
		if err != nil {
			return done{}, err
		}
		if asked.Method != "" { // a statement goes on no paper, and a notice by no e-mail: those stay on their card
			asked.Failed = slices.DeleteFunc(slices.Clone(asked.Failed), func(f shipments.Failed) bool {
				of := before[f.ID]
				return asked.Method.Carries(of.DocumentKind, of.Role()) != nil
			})
		}
		sent, err := shipments.RetryAll(ctx, tx, rq.creditor.ID, asked)
		if err != nil {
			return done{}, err
		}
		said, err := rq.saidOfAgain(ctx, tx, sent)
		if err != nil {
			return done{}, err
		}
		if asked.Save {
			said.Text += " " + rq.words.Say("letters.saved")
		}
		document := sent[0].Document()
		return done{to: rq.back(rq.base + "/letters"), message: said, made: &document}, nil
	})
}

// askedAgain reads a card's form.
func (rq *request) askedAgain() (shipments.TogetherAgain, error) {
	f := rq.fields()
	asked := shipments.TogetherAgain{Method: models.ShipmentMethod(f.text("method")), Actor: rq.actor(), Seen: rq.surelySeen()}
	if asked.Method != "" && !asked.Method.HasChannel() {
		return asked, errBadForm()
	}
	chosen := f.all("shipment")
	if f.has("all") {
		chosen = slices.Concat(chosen, f.all("other"))
	}
	if len(chosen) > 2*shipments.MaxRetried {
		return asked, errBadForm()
	}
	for _, value := range chosen {
		id, seen, _ := strings.Cut(value, ":")
		shipment, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return asked, errBadForm()
		}
		asked.Failed = append(asked.Failed, shipments.Failed{ID: shipment, Seen: models.Seen(cmp.Or(seen, "nothing"))})
	}
	if cmp.Or(asked.Method, models.ShipmentMethod(f.text("way"))) == models.ByEmail {
		asked.Email = f.text("email")
		if asked.Save = asked.Email != "" && f.has("save"); asked.Email == "" {
			f.faults.Add("required", "email", "is required")
		}
	}
	return asked, f.done(asked.Validate())
}

func idsOfFailed(r shipments.TogetherAgain) []int64 {
	ids := make([]int64, len(r.Failed))
	for i, f := range r.Failed {
		ids[i] = f.ID
	}
	return ids
}

// saidOfAgain says how what failed is sent again.
func (rq *request) saidOfAgain(ctx context.Context, tx *store.Tx, sent []models.Shipment) (message, error) {
	first := sent[0]
	address := first.Method.Address(first.To())
	if len(sent) > 1 {
		return rq.said("letters.all_sent_to", "n", len(sent), "address", address), nil
	}
	numbers, err := tx.NumbersOf(ctx, first)
	if err != nil {
		return message{}, err
	}
	return rq.said("letters.sent_to", "what", rq.nameOfShipment(first, numbers[first.Document()]), "address", address), nil
}
