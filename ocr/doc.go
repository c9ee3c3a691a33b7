// Package ocr imports the bank's payment files into the ledger. It keeps the raw bytes, checks the file, and matches
// every payment by account and KID. It posts a payment that it can match, and queues any other as an unmatched
// payment. It also proves from the raw bytes what the books say of a file. It knows nothing of dunning and nothing of
// HTTP.
//
// A file is taken whole or not at all, once, however often and by however many ways it comes. Begin with:
//
//   - Importer.Import reads a file to its end: kept, checked, identified, posted in batches, reported. A killed import goes on where it was.
//   - match (match.go) says where a payment goes: a pure function, with its reason.
//   - Importer.Verify reads the raw bytes again, and says where the books differ.
//
// Packages ocr/giro and ocr/camt read the two formats as streams; ocr/bankfile is for files outside of an installation; ocr/inbound fetches
// files from the inbox and from the bank's folder; ocr/unmatched has what a person does with payments that wait.
package ocr
