package billing

import (
	"context"

	"purr/models"
)

// waysSetUp tells which methods are set up: a view, a transaction or the database.
type waysSetUp interface {
	SetUp(ctx context.Context, m models.ShipmentMethod) (bool, error)
}

// FaultsOfWay returns the fault of who asks for a way of sending that is not set up in this installation (rule E20). Most ways need no
// setting.
func FaultsOfWay(ctx context.Context, from waysSetUp, m models.ShipmentMethod) (models.Errors, error) {
	if !m.NeedsSetting() {
		return nil, nil
	}
	there, err := from.SetUp(ctx, m)
	if err != nil || there {
		return nil, err
	}
	wrong := m.NotSetUp()
	return models.Errors{models.Invalid(wrong.Code, "", "%s", wrong.Msg).Under(AtMethod())}, nil
}

// faultsOfAsked returns what is wrong with the way of sending that a request for a kind of document asks for.
func faultsOfAsked(m models.ShipmentMethod, k models.DocumentKind) models.Errors {
	if wrong := m.AskedFor(k); wrong != nil {
		return models.Errors{models.Invalid(wrong.Code, "", "%s", wrong.Msg).Under(AtMethod())}
	}
	return nil
}

// faultsOfMethod returns what a way of sending needs and the recipient or the invoice's references lack (rules D16, H1). at
// says where the faults are, by the element that lacks; else they are at the element itself. What the creditor lacks is at the method.
func faultsOfMethod(m models.ShipmentMethod, c models.Creditor, r models.Recipient, o models.Order, at map[string]models.Place) models.Errors {
	var faults models.Errors
	for _, l := range m.Lacks(c, r, o) {
		place, is := at[l.Element]
		switch {
		case is:
			faults = append(faults, models.Invalid(l.Code, "", "%s", l.Msg).Under(place))
		case l.OfCreditor():
			faults = append(faults, models.Invalid(l.Code, "", "%s", l.Msg).Under(AtMethod()))
		default:
			faults.Add(l.Code, l.Element, "%s", l.Msg)
		}
	}
	return faults
}
