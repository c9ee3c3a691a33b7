// Package audit proves what the rest of the program did: it asks of each letter whether it was lawful, and whether that much was owed (rule
// U1). It reads rows and changes nothing.
//
// A Case is all that the rows say of one invoice. Judge asks every question of it, and returns findings: what should have been, what is,
// and what is to be paid back. Both know no database, so one letter can be judged from the rows of a transaction before it leaves. Auditor makes the Cases
// of a creditor, some hundred at a time, and judges them.
//
// Nothing here shares a thought with what is proved: the arithmetic is that of audit/reckoning, and of package law only the dated figures
// are used. A test names what may be.
//
// Each question is asked by what was booked when the step was taken, and where that differs by what is known now (rule U2). Of the
// first the letter's row tells for ever; the second asks only whether what stands today is right, so that it is quiet once it was put
// right.
package audit
