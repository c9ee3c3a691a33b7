// Package privacy forgets customers (rule O14): their names, addresses and texts go everywhere purr keeps them, and sums, numbers and
// dates stay. An act (Forget) decides, empties the rows and notes what is to be removed besides, in one transaction; then the Remover
// removes files, outboxes and the database's own traces, and goes on where it was killed. A List in the data folder says who was
// forgotten, without a word of anybody, so that a backup of before can be restored without bringing anybody back.
//
// It knows nothing of requests, of commands or of what an export shows.
package privacy
