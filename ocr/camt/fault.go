package camt

// MaxFaults is the number of faults after which the reading ends.
const MaxFaults = 100

// MaxWarnings is the most warnings of one code that are kept of a file.
const MaxWarnings = 100

// Bounds that only a malicious file reaches.
const (
	maxDepth         = 64     // of elements inside each other
	maxNotifications = 10_000 // accounts in one file
	maxReferences    = 1000   // invoices in one payment
	maxText          = 2000   // of the payer's text that are kept
)

// The codes of faults. A file with a fault is rejected.
const (
	CodeEmptyFile        = "empty_file"           // no element at all
	CodeMalformed        = "malformed_xml"        // XML that is not well-formed, for example cut off
	CodeDoctype          = "doctype_not_allowed"  // a document type declaration, which could define entities
	CodeEncoding         = "unsupported_encoding" // neither UTF-8 nor ISO-8859-1
	CodeUnknownMessage   = "unknown_message"      // another message, or another version of it
	CodeTooDeep          = "too_deep"             // elements nested too deep
	CodeTooLong          = "too_long"             // a text that is too long for its element
	CodeTooMany          = "too_many"             // too many notifications, or invoices of one payment
	CodeMissingElement   = "missing_element"      // a required element that is missing or in the wrong place
	CodeRepeatedElement  = "repeated_element"     // an element that comes twice but may come once
	CodeMisplacedElement = "misplaced_element"    // an element that comes too late
	CodeBadAmount        = "bad_amount"           // no decimal number, below zero, in parts of an øre, or too large
	CodeBadDate          = "bad_date"             // not a day of the calendar
	CodeBadCode          = "bad_code"             // none of the values that the element may hold
	CodeBadNumber        = "bad_number"           // a count that is not digits
	CodeCountMismatch    = "count_mismatch"       // the number of entries in a summary is wrong
	CodeSumMismatch      = "sum_mismatch"         // a summary's amount is not the sum of the entries
	CodeSumTooLarge      = "sum_too_large"        // the amounts of the file add up to more øre than can be counted
)

// The codes of warnings. A file with warnings is accepted.
const (
	CodeBadAccount       = "bad_account"       // an account whose check digits are wrong
	CodeCopy             = "copy"              // a notification that the bank sent before
	CodeOtherPages       = "other_pages"       // there are pages in other files
	CodeNoBookingDate    = "no_booking_date"   // an entry without booking date: another date is used
	CodeOtherCurrency    = "other_currency"    // an entry that is ignored because of its currency
	CodeDoubtful         = "doubtful_entry"    // see Entry.Doubtful
	CodeTextCut          = "text_cut"          // a text that was cut at its end
	CodeUnclearReference = "unclear_reference" // a payment of several invoices that does not give the amount of each
)
