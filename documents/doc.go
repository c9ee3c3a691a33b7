// Package documents makes each document's PDF and EHF once and keeps them, so that later readings and shipments have the
// same bytes (rules D35, H2). It knows neither who asks nor how documents are sent.
//
// A document shows its creditor, its customer and its language as they were when it was issued, whatever changed since. Only so can bytes that
// the archive has lost be made again.
//
// Begin with:
//
//   - Store.PDFs draws and keeps the documents of a creditor that have no PDF yet, together, and reads the others.
//   - Store.EHF does so with an EHF, and refuses one that would break an official rule.
//   - kinds.go says of each kind of document how it is read, drawn, named and expressed; Rows are what the database holds of one.
//
// Package documents/pdf draws, with fonts that are cut to what is needed; package documents/ehf writes UBL, and checks anybody's. Both are
// functions of values.
package documents
