// Package jobs does the work in the background. The rows of the store say what is owed; the package queues it and does it. The
// row is the truth and the queue a hint: Redis may be flushed, and any process killed, at any moment.
//
// The package knows nothing of HTTP, and decides no business rule itself. What leaves is taken, packed, handed over and recorded by
// mailer/dispatch. The package knows who works on what: lanes, turns, leases and the marks on disk by which a dead worker's sendings are known.
//
// Begin with:
//
//   - Worker sweeps: it asks the rows what is owed, every few seconds, and queues it.
//   - kinds.go lists the kinds of work. Each has a file with its value: how owed rows are found, payload, handler, and how what a dead worker
//     has taken is freed.
//   - The holder (holder.go, burial.go) beats, and buries workers whose beats stand still.
//
// Package jobs/tasks keeps tasks in Redis, and alone knows the library that does; jobs/runs makes a creditor's business date: it joins dunning, bank files and the ledger.
package jobs
