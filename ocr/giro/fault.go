package giro

// MaxFaults is the number of faults after which the reading ends.
const MaxFaults = 100

// MaxWarnings is the most warnings of one code that are kept of a file.
const MaxWarnings = 100

// maxParts is the most transmissions and assignments together in a file. The Summary holds all of them in memory.
const maxParts = 100_000

// The codes of faults. A file with a fault is rejected.
const (
	CodeEmptyFile        = "empty_file"        // no record at all
	CodeBadLength        = "bad_length"        // a line that is not 80 bytes long
	CodeNotNY            = "not_ny"            // a line that does not start with the format code NY
	CodeUnexpectedRecord = "unexpected_record" // an unknown record, or one out of place
	CodeUnknownType      = "unknown_type"      // a transaction type outside 10 to 21
	CodeUnpairedItem     = "unpaired_item"     // amount items that do not belong together, or one missing
	CodeMissingEnd       = "missing_end"       // an assignment or transmission without its end record
	CodeBadNumber        = "bad_number"        // a numeric field that is not digits, or out of range
	CodeBadDate          = "bad_date"          // not a day of the calendar, or a required date that is missing
	CodeBadSign          = "bad_sign"          // neither 0 nor "-"
	CodeBadKID           = "bad_kid"           // a KID that is not digits and perhaps a final "-"
	CodeCountMismatch    = "count_mismatch"    // the number in an end record is wrong
	CodeSumMismatch      = "sum_mismatch"      // the amount of an end record is not the sum
	CodeSumTooLarge      = "sum_too_large"     // the amounts of the file add up to more øre than can be counted
	CodeTooMany          = "too_many"          // too many transmissions and assignments
)

// The codes of warnings. A file with warnings is accepted.
const (
	CodeUnknownSender    = "unknown_sender"    // the sender is not Nets
	CodeBadAccount       = "bad_account"       // an assignment account whose check digit is wrong
	CodeFiller           = "filler"            // a filler that is not zeros
	CodeKIDAlignment     = "kid_alignment"     // a KID that is not right-aligned
	CodeKIDNotExpected   = "kid_not_expected"  // a KID in a transaction with free text
	CodeTransactionOrder = "transaction_order" // a transaction number that is not above the one before
	CodeDateRange        = "date_range"        // the first or last date of an end record is wrong
	CodeBadMandate       = "bad_mandate"       // a mandate that cannot be read, and is left out
	CodeReversalsAdded   = "reversals_added"   // see Assignment.ReversalsAdded
)
