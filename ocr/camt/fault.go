package camt

// MaxFaults is the number of faults after which a file is read no further.
const MaxFaults = 100

// MaxWarnings is the number of warnings of one code that are kept of a file.
const MaxWarnings = 100

// What no honest file comes near.
const (
	maxDepth         = 64     // of elements in each other
	maxNotifications = 10_000 // accounts in one file
	maxReferences    = 1000   // invoices in one payment
	maxText          = 2000   // characters that are kept of what the payer wrote
)

// The codes of faults. A file with one of them is not taken.
const (
	CodeEmptyFile        = "empty_file"           // no element at all
	CodeMalformed        = "malformed_xml"        // no well-formed XML; cut off, for one
	CodeDoctype          = "doctype_not_allowed"  // a document type declaration, and with it entities
	CodeEncoding         = "unsupported_encoding" // neither UTF-8 nor ISO-8859-1
	CodeUnknownMessage   = "unknown_message"      // another message, or another version of it
	CodeTooDeep          = "too_deep"             // elements nested too deep
	CodeTooLong          = "too_long"             // a text that is longer than the element may be
	CodeTooMany          = "too_many"             // more notifications, or invoices in one payment, than are read
	CodeMissingElement   = "missing_element"      // an element that must be there, and before the one that is
	CodeRepeatedElement  = "repeated_element"     // an element that may come once, and comes again
	CodeMisplacedElement = "misplaced_element"    // an element after those that it must stand before
	CodeBadAmount        = "bad_amount"           // no decimal number, below zero, in parts of an øre, or too large
	CodeBadDate          = "bad_date"             // not a day of the calendar
	CodeBadCode          = "bad_code"             // none of the words that the element may hold
	CodeBadNumber        = "bad_number"           // a count that is not digits
	CodeCountMismatch    = "count_mismatch"       // a summary counts other entries than are there
	CodeSumMismatch      = "sum_mismatch"         // a summary's amount is not the sum of the entries
)

// The codes of warnings. They do not keep a file from being taken.
const (
	CodeBadAccount       = "bad_account"       // an account whose check digits are wrong
	CodeCopy             = "copy"              // a notification that the bank sent before
	CodeOtherPages       = "other_pages"       // there are pages in other files
	CodeNoBookingDate    = "no_booking_date"   // an entry that another date is taken for
	CodeOtherCurrency    = "other_currency"    // an entry that is ignored for its currency
	CodeDoubtful         = "doubtful_entry"    // see Entry.Doubtful
	CodeTextCut          = "text_cut"          // a text of which the end is left out
	CodeUnclearReference = "unclear_reference" // a payment of several invoices that does not say how much of each
)
