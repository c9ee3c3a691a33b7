// Package avtalegiro decides what becomes of claims of AvtaleGiro (rules G1 to G3a): which invoice owes one, by when it leaves, what takes it
// back, what the bank's answer and its silence mean. The acts write rows alone. The bytes of files and receipts are made and read in
// ocr/avtalegiro, and mailer/dispatch delivers them.
//
// Begin reading at Owe, MakeFile and Settle.
package avtalegiro
