package giro

import "fmt"

// The tags of the records around claims. Transmissions begin and end as those of OCR giro.
const (
	tagClaims           = "NY210020"
	tagClaimsEnd        = "NY210088"
	tagCancellations    = "NY213620"
	tagCancellationsEnd = "NY213688"
)

// claimsStart is record 20 of claims and of cancellations. What is the agreement's number in OCR giro is zeros here.
type claimsStart record

func (r *claimsStart) filler1() []byte { return r[8:17] }
func (r *claimsStart) number() []byte  { return r[17:24] }
func (r *claimsStart) account() []byte { return r[24:35] }
func (r *claimsStart) filler2() []byte { return r[35:80] }

// claimItem1 is record 30, amount item 1.
type claimItem1 record

func (r *claimItem1) number() []byte { return r[8:15] }
func (r *claimItem1) due() []byte    { return r[15:21] }
func (r *claimItem1) blank() []byte  { return r[21:32] }
func (r *claimItem1) amount() []byte { return r[32:49] }
func (r *claimItem1) kid() []byte    { return r[49:74] }
func (r *claimItem1) filler() []byte { return r[74:80] }

// claimItem2 is record 31, amount item 2.
type claimItem2 record

func (r *claimItem2) number() []byte    { return r[8:15] }
func (r *claimItem2) shortName() []byte { return r[15:25] }
func (r *claimItem2) blank() []byte     { return r[25:50] }
func (r *claimItem2) reference() []byte { return r[50:75] }
func (r *claimItem2) filler() []byte    { return r[75:80] }

// specification is record 49: half of a line of the bank's notice. Its type is always 21.
type specification record

func (r *specification) number() []byte { return r[8:15] }
func (r *specification) four() []byte   { return r[15:16] }
func (r *specification) line() []byte   { return r[16:19] }
func (r *specification) column() []byte { return r[19:20] }
func (r *specification) text() []byte   { return r[20:60] }
func (r *specification) filler() []byte { return r[60:80] }

// claimsEnd is record 88 of claims and of cancellations.
type claimsEnd record

func (r *claimsEnd) transactions() []byte { return r[8:16] }
func (r *claimsEnd) records() []byte      { return r[16:24] }
func (r *claimsEnd) amount() []byte       { return r[24:41] }
func (r *claimsEnd) earliest() []byte     { return r[41:47] }
func (r *claimsEnd) latest() []byte       { return r[47:53] }
func (r *claimsEnd) filler() []byte       { return r[53:80] }

// claimTag returns the tag of a record of a claim.
func claimTag(t ClaimType, recordType string) string {
	return fmt.Sprintf("NY%s%02d%s", ServiceAvtaleGiro, int(t), recordType)
}

// tags returns the tags of the assignment's start and end.
func (a *ClaimAssignment) tags() (start, end string) {
	if a.Cancellations {
		return tagCancellations, tagCancellationsEnd
	}
	return tagClaims, tagClaimsEnd
}
