package models

// Role says what a shipment is to its document.
type Role string

// The roles.
const (
	Original Role = "original" // what the law or the contract asks for; dunning looks at it alone
	Courtesy Role = "courtesy" // the same document to the same recipient by another method: a notice by EHF, once its letter has left (rule H1)
	Copy     Role = "copy"     // to an address besides, which whoever asked for the document has named (rule S5)
	// Duplicate is the document once more, because a person asked for it (rule N4). What becomes of it says nothing of the original.
	Duplicate Role = "duplicate"
	// TellsOfTime is the invoice with a letter that tells of more time for it (rule N11). It is no claim, and no sending of the original.
	TellsOfTime Role = "more_time"
	// TellsOfCorrection is the invoice with a letter that tells which of its charges were wrong, and how much comes back (rule U6). It is no claim, and
	// no sending of the original.
	TellsOfCorrection Role = "correction"
	// Friendly is the invoice with an e-mail that reminds of it, before any notice is due (rule L14). It is no notice, and no sending of the
	// original.
	Friendly Role = "friendly_reminder"
)

// Role returns what the shipment is to its document.
func (s Shipment) Role() Role {
	switch {
	case !s.Beside:
		return Original
	case s.MoreTime.Until != 0:
		return TellsOfTime
	case s.Correction.Day != 0:
		return TellsOfCorrection
	case s.Friendly != 0:
		return Friendly
	case s.OnceMore:
		return Duplicate
	case s.DocumentKind == NoticeDocument:
		return Courtesy
	}
	return Copy
}

// Shown returns the role as the interface shows it: what is not the original, or a correction, is a copy.
func (r Role) Shown() string {
	if r == Original || r == TellsOfCorrection {
		return string(r)
	}
	return string(Copy)
}

// ByWish reports whether a person asked for what was not owed: a copy, or a letter of more time or of a correction. It goes by
// e-mail or on paper, also to where another went, and in the place of none.
func (r Role) ByWish() bool { return r == Duplicate || r == TellsOfTime || r == TellsOfCorrection }

// Besides reports whether the document goes to where another shipment of it went, or may go, without taking its place.
func (r Role) Besides() bool { return r.ByWish() || r == Friendly }
