package camt

import "unicode/utf8"

// declared is the summary of a notification.
type declared struct {
	line                 int
	all, credits, debits declaredTally
	net                  money
	netDirection         string
}

// declaredTally is a count and a sum that may be absent.
type declaredTally struct {
	number int // -1 if absent
	sum    money
}

func (r *Reader) startNotification() {
	if len(r.summary.Notifications) == maxNotifications {
		r.stop(CodeTooMany, "there are more than %d notifications", maxNotifications)
	}
	r.notification = &Notification{Line: r.line}
	r.summary.Notifications = append(r.summary.Notifications, r.notification)
	none := declaredTally{number: -1}
	r.notification.declared = declared{all: none, credits: none, debits: none}
	r.unsure = false
}

func (r *Reader) startTotals() { r.notification.declared.line = r.line }

func (r *Reader) endAccount() {
	if r.notification.Account == "" {
		r.fault(CodeMissingElement, "Acct has neither an IBAN nor another account number")
	}
}

// servicerName uses the name of the bank if there is no BIC.
func (r *Reader) servicerName(name string) {
	if r.notification.Servicer == "" {
		r.notification.Servicer = string([]rune(name)[:min(35, utf8.RuneCountInString(name))])
	}
}

func (r *Reader) endNotification() {
	n := r.notification
	if n.Copy != "" {
		r.warnAt(n.Line, CodeCopy, "the notification %s is a copy (%s) of one that the bank sent before", n.ID, n.Copy)
	}
	switch {
	case !n.Page.Only() || !r.summary.Page.Only():
		// Its summary may cover all pages.
		r.warnAt(n.Line, CodeOtherPages, "the notification %s has pages in other files", n.ID)
	case n.declared.line > 0 && !r.unsure:
		r.checkTotals(n)
	}
	r.summary.add(n.Totals)
	r.notification = nil
}

// checkTotals compares the entries with the notification's summary.
func (r *Reader) checkTotals(n *Notification) {
	d := &n.declared
	all := tally{n.credits.number + n.debits.number, plus(n.credits.sum, n.debits.sum)}
	r.checkTally("entries", d.line, d.all, all)
	r.checkTally("credits", d.line, d.credits, n.credits)
	r.checkTally("debits", d.line, d.debits, n.debits)
	if net := n.credits.sum - n.debits.sum; d.net.given && signed(d.netDirection, d.net.amount) != net {
		r.faultAt(d.line, CodeSumMismatch, "the summary says %s net, there is %s", signed(d.netDirection, d.net.amount), net)
	}
}

func (r *Reader) checkTally(what string, line int, said declaredTally, found tally) {
	if said.number >= 0 && said.number != found.number {
		r.faultAt(line, CodeCountMismatch, "the summary says %d %s, there are %d", said.number, what, found.number)
	}
	if said.sum.given && said.sum.amount != found.sum {
		r.faultAt(line, CodeSumMismatch, "the summary says %s of %s, they add up to %s", said.sum.amount, what, found.sum)
	}
}

// countEntry adds an entry to the totals of its notification.
func (n *Notification) countEntry(e *Entry) {
	if e.Direction == Debit {
		n.debits.add(e.Amount)
	} else {
		n.credits.add(e.Amount)
	}
	if e.Currency != Currency {
		return
	}
	n.Amount = plus(n.Amount, e.Signed())
	if e.Ignored() {
		n.IgnoredAmount = plus(n.IgnoredAmount, e.Signed())
		return
	}
	if n.Earliest == 0 || e.Booked < n.Earliest {
		n.Earliest = e.Booked
	}
	n.Latest = max(n.Latest, e.Booked)
}

// countTransaction adds a transaction to the totals of its notification.
func (n *Notification) countTransaction(e *Entry) {
	n.Transactions++
	if e.Ignored() {
		n.Ignored++
	}
}
