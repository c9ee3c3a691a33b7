// Package dispatch sends what rows owe. It decides what leaves now and by which way, makes what the other side gets, hands it over,
// and records what came of it.
//
// It knows nothing of the queue, of lanes and of leases, and begins nothing by itself. Whoever has taken a row in hand calls it, and
// tells it by a Hand, or by a function, whether it still has it. What the changes of a shipment's state mean is decided in
// mailer/shipments.
//
// Four things leave. Each is taken in the transaction of its caller, sent outside of any, and recorded in a transaction again:
//
//   - A Load is due shipments of a creditor, for their channels. Begin with Dispatcher.Take and Load.Send. parcel.go says what channels
//     get, way.go by which method a shipment goes for which models.Auto was asked, and hand_over.go what is asked before it is handed over.
//   - A Batch is letters of a creditor, for the print shop.
//   - A Bundle is what the debt collector gets of a hand-over.
//   - A Delivery is an event, for a webhook.
package dispatch
