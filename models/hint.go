package models

// Hint is a reason to think that an unmatched payment is meant for an invoice.
type Hint string

// The hints (rule E5).
const (
	HintKID        Hint = "kid"                // its KID, or a number in its text, is the invoice's KID
	HintKIDDigit   Hint = "kid_digit_off"      // its KID is the invoice's but for one digit
	HintKIDSwapped Hint = "kid_digits_swapped" // its KID is the invoice's but for two neighbours that are swapped
	HintNumber     Hint = "invoice_number"     // its text or its KID has the invoice's number
	HintOpenAmount Hint = "open_amount"        // just its amount is owed on the invoice
	HintPayer      Hint = "payer_account"      // the customer has paid from the same account before
	HintAddUp      Hint = "invoices_add_up"    // several open invoices of the customer add up to it
)
