package billing

import "purr/models"

// atRecipient is the place of a request's recipient.
var atRecipient = models.At("recipient")

// AtMethod returns the place of the way of sending in a request: that of the original, which is the first shipment.
func AtMethod() models.Place { return models.At("shipment_method").Under(atShipment(1)) }

func atShipment(nth int) models.Place { return models.At("shipments").Item("shipment", nth) }

// atLine returns the place of a request's line, from 0.
func atLine(i int) models.Place { return models.At("lines").Item("line", i+1) }

// ofCopy returns a fault of the address of a request's copy, from 0. The copies are the shipments after the original.
func ofCopy(i int, code, text string) *models.Error {
	return models.Invalid(code, "email", "%s", text).Under(atRecipient).Under(atShipment(i + 2))
}
