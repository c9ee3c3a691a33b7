// Package law knows what the law lets a creditor charge for a late payment: rates and maxima as dated figures, with
// their sources, and the interest, fees and compensation that follow from them.
//
// Everything in it is a function of values: it takes the day as an argument, and knows no clock, no database and no creditor.
// It does not know when a notice is sent: package dunning decides that. Another reading of the same law, by somebody who has not
// seen this one, is in test/testkit/law; make law holds the two against each other.
//
// Begin with the folder rules: each figure is a row with the day from which it holds, and its source. Then:
//
//   - Rules are all figures, those that an operator has set among them; Rules.Fee says what a notice may charge on a day, and a Claim what interest it bears.
//   - Allocate says which part of an invoice's entries is principal, interest and fees.
//   - Recalculate says what notices have charged too much, once it is known that money came before them.
//   - Sheet is the calculation of one notice as it was made, kept beside it.
package law
