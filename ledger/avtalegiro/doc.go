// Package avtalegiro decides what becomes of claims of AvtaleGiro (rules G1 to G3a): which invoice owes one, by when it leaves, what takes it
// back, what the bank's answer and its silence mean. The acts write rows alone. The bytes of files and receipts are made and read in
// ocr/avtalegiro, and mailer/dispatch delivers them. Who changes a claim that is written has locked its creditor, so that no two decide on
// the same claim at once.
//
// Begin reading at Owe, MakeFile and Settle.
package avtalegiro
