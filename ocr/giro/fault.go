package giro

// MaxFaults is the number of faults after which a file is read no further.
const MaxFaults = 100

// MaxWarnings is the number of warnings of one code that are kept of a file.
const MaxWarnings = 100

// maxParts is how many transmissions and assignments together are read of a file: the summary holds them all.
const maxParts = 100_000

// The codes of faults. A file with one of them is not taken.
const (
	CodeEmptyFile        = "empty_file"        // no record at all
	CodeBadLength        = "bad_length"        // a line that is not 80 bytes long
	CodeNotNY            = "not_ny"            // a line that does not start with the format code NY
	CodeUnexpectedRecord = "unexpected_record" // an unknown record, or one out of place
	CodeUnknownType      = "unknown_type"      // a transaction type outside 10 to 21
	CodeUnpairedItem     = "unpaired_item"     // amount items that do not belong together, or one missing
	CodeMissingEnd       = "missing_end"       // an assignment or transmission without its end record
	CodeBadNumber        = "bad_number"        // a numeric field that is not digits, or out of range
	CodeBadDate          = "bad_date"          // not a day of the calendar, or none where there must be one
	CodeBadSign          = "bad_sign"          // neither 0 nor "-"
	CodeBadKID           = "bad_kid"           // a KID that is not digits and perhaps a final "-"
	CodeCountMismatch    = "count_mismatch"    // an end record counts other than what is there
	CodeSumMismatch      = "sum_mismatch"      // an end record's amount is not the sum
	CodeTooMany          = "too_many"          // more transmissions and assignments than are read
)

// The codes of warnings. They do not keep a file from being taken.
const (
	CodeUnknownSender    = "unknown_sender"    // the sender is not Nets
	CodeBadAccount       = "bad_account"       // an assignment account whose check digit is wrong
	CodeFiller           = "filler"            // a filler that is not zeros
	CodeKIDAlignment     = "kid_alignment"     // a KID that is not right-aligned
	CodeKIDNotExpected   = "kid_not_expected"  // a KID in a transaction with free text
	CodeTransactionOrder = "transaction_order" // a transaction number not above the one before
	CodeDateRange        = "date_range"        // an end record's first or last date is not that of the transactions
	CodeReversalsAdded   = "reversals_added"   // see Assignment.ReversalsAdded
)
