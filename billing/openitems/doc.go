// Package openitems reads lists of open items of other systems, as CSV, and has purr follow them (rules L17, L17a): Adopt takes what is new,
// and Sync also what is owed of the others now, and closes as paid what is no longer in the list.
//
// A list is read twice: first all of it is checked, and with one fault nothing is done; then it is done, some rows with each transaction.
// Each row says for itself what is to be. So a list that comes again, or is taken up again after it was killed, changes nothing that is done.
package openitems
