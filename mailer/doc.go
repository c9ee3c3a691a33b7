// Package mailer is the room of everything that leaves the house. The package itself has the channels of e-mail (SMTP, or files in
// an outbox folder), of paper as PDF files in that folder, and of what the debt collector gets.
//
// It knows nothing of the database or the queue. What a channel has accepted is a success, whatever happens afterwards. A
// models.Refused is final, and any other error is worth another attempt (rule R5c).
//
// Begin with:
//
//   - Channel takes a Parcel, which has a common part and one for its channel, and gives an Answer. A channel may also take several (Bulk), or be asked what became of a shipment (Asker).
//   - The folders beside have the other channels: letters (printer, print house, print shop), peppol (e-invoices), efaktura (consumers' banks), rest (anybody's interface, by
//     an operator's template), webhook (events).
//   - mailer/dispatch sends what is owed: it takes it, chooses the way, packs, hands over and records.
//   - mailer/shipments says what becomes of a shipment: taken, sent, tried again, failed, reported on, retried by a person. Its receipts
//     and bounces read what is told later.
//   - mailer/ways opens each way out from its URL.
//   - mailer/bounce reads delivery reports, and mailer/sender asks the DNS what a domain lacks.
package mailer
