// Package store keeps everything in a MySQL, MariaDB or SQLite database through gorm. It is the only package that
// knows which of them is used. It knows no business rules. It reads only within one creditor unless a method says
// otherwise, and writes only inside a transaction.
//
// A file is a table, or a question over several; tx.go and error.go say what a transaction promises, store.go how a
// database is opened. Begin with DB, which reads and has InTx; Tx, which writes; View, which reads as of one moment.
//
// # How to ask
//
// Nearly all is asked by a query that gorm builds, beginning with reads.with, and read by its answer: readOne (it must
// be there), readFirst (or false), readAll, readBy and readGroups (by key), idsOf, count, exists, and scan (what the
// query computes). Where that was measured to be too slow, there are three ways past gorm:
//
//   - selecting (fixed.go): rows of a type by a text that never changes, for what nearly every request asks. gorm builds
//     nothing, and a server keeps it prepared.
//   - each (read.go): columns into variables, row by row, by a text that never changes, prepared likewise. Of a query that
//     gorm builds it is eachRow; eachUntil where it may end early, eachAs for whole rows of a list that is too long to be held.
//   - forEach (read.go): the same question for many values with one statement, each with a limit of its own.
//
// # How to write
//
//   - insert (insert.go): new rows. add is insert for rows whose IDs nobody needs; insertIgnoring leaves a row alone whose key
//     is there, and says so; insertOr adds to it or replaces it.
//   - put (put.go): all mutable columns of rows that were read and locked, found by their key. A row that is not there is an error.
//   - set (put.go): some columns of the rows that meet conditions. setSome says how many did.
//
// Nothing is saved by gorm's Save, which inserts where no row matched. What the database reckons itself, such as a
// balance, is SQL (Exec), and a row is deleted by gorm's Delete.
//
// # Lists
//
// The files list_*.go are pages of lists: list_page.go the page, list_day.go the counts by day and the marks that find a page far
// down, list_invoice.go and list_invoice_order.go the list of invoices and its orders, list_search.go and list_invoice_text.go
// what searches read. They are no package of their own. A page is a read like any other on DB, View and Tx, and asks with
// the functions above, whose errors it classifies; a deletion takes its row out of the counts in its own transaction. Below store
// a package of lists would need the reads, the errors and half of the tables exported; above it, each page would be far from its table.
package store
