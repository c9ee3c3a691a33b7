package giro

// CodeDueTooFar warns of a due date before today, or more than twelve months ahead.
const CodeDueTooFar = "due_too_far"

// The codes of faults that only files of claims have.
const (
	CodeWrongParty       = "wrong_party"         // the sender is Nets, or the recipient is not
	CodeNoClaim          = "no_claim"            // an assignment without a claim, or a transmission without an assignment
	CodeNoAmount         = "no_amount"           // a claim of 0.00
	CodeBadSpecification = "bad_specification"   // a specification's line, column or text that is not allowed
	CodeBadText          = "bad_text"            // a control sign, or a blank field that holds something
	CodeMixedAssignment  = "mixed_assignment"    // a claim among cancellations, or a cancellation among claims
	CodeSeveralFiles     = "several_files"       // more than one transmission
	CodeAssignmentTwice  = "assignment_twice"    // an assignment number that the account has already
	CodeNumberNotAbove   = "number_not_above"    // a transaction number that is not above the one before
	CodeFillerNotZero    = "filler_not_zero"     // a filler that is not zeros
	CodeAccountCheck     = "account_check"       // an account whose check digit is wrong
	CodeKIDCheck         = "kid_check"           // a KID whose last digit is the check digit of neither modulus
	CodeRangeMismatch    = "date_range_mismatch" // the first or last due date of an end record is wrong
)
