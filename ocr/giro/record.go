package giro

// recordLen is the length of every record, in bytes and in characters.
const recordLen = 80

// record is one line of the file. The layouts below slice it; what a slice holds is decoded later, or
// written through it. Positions are 0-based and half-open, the specification's are 1-based.
type record [recordLen]byte

func (r *record) service() []byte    { return r[2:4] }
func (r *record) kind() []byte       { return r[4:6] } // type of transmission, assignment or transaction
func (r *record) recordType() []byte { return r[6:8] }

// What the tag, the first eight bytes, of a record is; an amount item has its transaction type in place of the "..".
const (
	tagTransmissionStart = "NY000010"
	tagAssignmentStart   = "NY090020"
	tagAssignmentEnd     = "NY090088"
	tagTransmissionEnd   = "NY000089"
)

func (r *record) tag() []byte { return r[0:8] }

// transmissionStart is record 10 (section 2.2).
type transmissionStart record

func (r *transmissionStart) sender() []byte    { return r[8:16] }
func (r *transmissionStart) number() []byte    { return r[16:23] }
func (r *transmissionStart) recipient() []byte { return r[23:31] }
func (r *transmissionStart) filler() []byte    { return r[31:80] }

// assignmentStart is record 20 (section 2.3).
type assignmentStart record

func (r *assignmentStart) agreementID() []byte { return r[8:17] }
func (r *assignmentStart) number() []byte      { return r[17:24] }
func (r *assignmentStart) account() []byte     { return r[24:35] }
func (r *assignmentStart) filler() []byte      { return r[35:80] }

// item1 is record 30, amount item 1 (section 2.4).
type item1 record

func (r *item1) number() []byte            { return r[8:15] }
func (r *item1) netsDate() []byte          { return r[15:21] }
func (r *item1) centre() []byte            { return r[21:23] }
func (r *item1) dayCode() []byte           { return r[23:25] }
func (r *item1) partialSettlement() []byte { return r[25:26] }
func (r *item1) serial() []byte            { return r[26:31] }
func (r *item1) lumpSum() []byte           { return r[15:31] } // Nets date to serial: a line of the bank statement
func (r *item1) sign() []byte              { return r[31:32] }
func (r *item1) amount() []byte            { return r[32:49] }
func (r *item1) kid() []byte               { return r[49:74] }
func (r *item1) cardIssuer() []byte        { return r[74:76] }
func (r *item1) filler() []byte            { return r[76:80] }

// item2 is record 31, amount item 2 (section 2.4).
type item2 record

func (r *item2) number() []byte           { return r[8:15] }
func (r *item2) formNumber() []byte       { return r[15:25] }
func (r *item2) archiveReference() []byte { return r[25:34] }
func (r *item2) filler1() []byte          { return r[34:41] } // not zeros in the specification's own example
func (r *item2) bankDate() []byte         { return r[41:47] }
func (r *item2) debitAccount() []byte     { return r[47:58] }
func (r *item2) filler2() []byte          { return r[58:80] }

// item3 is record 32, amount item 3, of transaction types 20 and 21 only (section 2.4).
type item3 record

func (r *item3) number() []byte { return r[8:15] }
func (r *item3) text() []byte   { return r[15:55] }
func (r *item3) filler() []byte { return r[55:80] }

// assignmentEnd is record 88 (section 2.5).
type assignmentEnd record

func (r *assignmentEnd) transactions() []byte { return r[8:16] }
func (r *assignmentEnd) records() []byte      { return r[16:24] }
func (r *assignmentEnd) amount() []byte       { return r[24:41] }
func (r *assignmentEnd) created() []byte      { return r[41:47] }
func (r *assignmentEnd) earliest() []byte     { return r[47:53] }
func (r *assignmentEnd) latest() []byte       { return r[53:59] }
func (r *assignmentEnd) filler() []byte       { return r[59:80] }

// transmissionEnd is record 89 (section 2.6).
type transmissionEnd record

func (r *transmissionEnd) transactions() []byte { return r[8:16] }
func (r *transmissionEnd) records() []byte      { return r[16:24] }
func (r *transmissionEnd) amount() []byte       { return r[24:41] }
func (r *transmissionEnd) created() []byte      { return r[41:47] }
func (r *transmissionEnd) filler() []byte       { return r[47:80] }
