package models

// MaxAdoptedNumber is the highest number that an invoice of another system may have (rule L17).
const MaxAdoptedNumber = 999_999_999_999

// MaxAdoptedNotices is the most notices of the other system that an adopted invoice may come with: the ladder has two.
const MaxAdoptedNotices = 2

// AdoptedComment is the comment of entries that come from another system.
const AdoptedComment = "adopted"

// NOK is the currency of all amounts.
const NOK = "NOK"

// Adoption says what an entry has to do with the other system that issued its invoice (rule L17).
type Adoption int

// The kinds of entries by that.
const (
	NotAdopted Adoption = iota // of purr's own
	Opening                    // how the invoice stood when it was adopted
	Told                       // what the other system told later is owed
)
