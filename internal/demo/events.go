package demo

import (
	"context"
	"net/url"
	"strconv"

	"purr/models"
)

// telling tells what events of one type have happened.
type telling func(ctx context.Context, d *demo, events []event) error

// tellingOf returns how events of a type are told. Some are silent: what they say is told with another, or
// can be seen from it. Those that are not expected are told as the API puts them.
func tellingOf(t models.EventType) telling {
	switch t {
	case models.EventInvoiceCreated:
		return tellInvoices
	case models.EventInvoiceOverdue:
		return tellOwed("Overdue")
	case models.EventNoticeOverdue:
		return tellOwed("Notice overdue")
	case models.EventNoticeCreated:
		return tellNotices
	case models.EventCreditNoteCreated:
		return tellCreditNote
	case models.EventPaymentRegistered:
		return tellPayments
	case models.EventFileImported:
		return tellFile
	case models.EventFileDuplicate:
		return tellDuplicate
	case models.EventCreditorCreated, models.EventKeyCreated, models.EventCreditorChanged, models.EventCustomerCreated:
		return silent
	case models.EventInvoiceChargeable: // the reminder comes the same day
		return silent
	case models.EventPaymentUnmatched: // told with its file
		return silent
	case models.EventShipmentSent: // proven at the end
		return silent
	case models.EventBankFilesLate: // this bank sends three files in ten weeks, and dunning does not wait for more
		return silent
	default:
		return tellAsItIs
	}
}

func silent(context.Context, *demo, []event) error { return nil }

// tellEvents tells what has happened since it was called last: events of one type together, in the order
// in which the types first came.
func (d *demo) tellEvents(ctx context.Context) error {
	events, err := list[event](ctx, &d.api, "/events", url.Values{"after": {strconv.FormatInt(d.lastEvent, 10)}})
	if err != nil {
		return err
	}
	var types []models.EventType
	byType := make(map[models.EventType][]event)
	for _, e := range events {
		if byType[e.Type] == nil {
			types = append(types, e.Type)
		}
		byType[e.Type] = append(byType[e.Type], e)
		d.lastEvent = e.ID
	}
	for _, t := range types {
		if err := tellingOf(t)(ctx, d, byType[t]); err != nil {
			return err
		}
	}
	return d.out.err
}
