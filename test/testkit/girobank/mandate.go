package girobank

import (
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// mandate is a payer's word that the creditor may draw.
type mandate struct {
	account, kid string
	notice       bool // the payer wants to be told in writing
	from         models.Date
	ended        models.Date // the first day without it, zero while it holds
}

// holds reports whether the mandate holds on a day.
func (m *mandate) holds(day models.Date) bool {
	return m.from <= day && (m.ended == 0 || day < m.ended)
}

// change is what a mandate file tells of one mandate.
type change struct {
	account, kid string
	kind         byte // '0' all, '1' new or changed, '2' ended
	notice       bool
}

// SignUp lets a payer give a mandate on a KID, or change the one that it gave. The account must have an agreement.
func (b *Bank) SignUp(account, kid string, notice bool, on models.Date) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.agreements, account) {
		panic("girobank: the account " + account + " has no agreement")
	}
	if m := b.mandate(account, kid); m != nil && m.ended == 0 {
		m.kid, m.notice = kid, notice
	} else {
		b.mandates = append(b.mandates, &mandate{account: account, kid: kid, notice: notice, from: on})
	}
	b.changes = append(b.changes, change{account, kid, '1', notice})
}

// End lets a payer end the mandate that the KID is of. It does nothing where there is none.
func (b *Bank) End(account, kid string, on models.Date) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mandate(account, kid)
	if m == nil || m.ended != 0 {
		return
	}
	m.ended = on
	b.changes = append(b.changes, change{account, m.kid, '2', m.notice})
}

// mandate returns the last mandate that a KID is of, or nil.
func (b *Bank) mandate(account, kid string) *mandate {
	for _, m := range slices.Backward(b.mandates) {
		if m.account == account && b.payer(m.kid) == b.payer(kid) {
			return m
		}
	}
	return nil
}

// MandateFile returns the file that tells the creditor of an account's mandates: all that hold, or what has changed since the last file
// of the account. It is nil if there is nothing to tell.
func (b *Bank) MandateFile(account string, all bool) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	var told []change
	if all {
		for _, m := range b.mandates {
			if m.account == account && m.ended == 0 {
				told = append(told, change{account, m.kid, '0', m.notice})
			}
		}
	}
	b.changes = slices.DeleteFunc(b.changes, func(c change) bool {
		if c.account == account && !all {
			told = append(told, c)
		}
		return c.account == account
	})
	if len(told) == 0 {
		return nil
	}
	return b.mandateFile(account, told)
}

func (b *Bank) mandateFile(account string, told []change) []byte {
	b.files++
	b.assignments++
	var out strings.Builder
	write := func(format string, args ...any) {
		record := fmt.Sprintf(format, args...)
		out.WriteString(record + strings.Repeat("0", recordLength-len(record)) + "\r\n")
	}
	write("NY000010%s%07d%s", nets, b.files, b.settings.Sender)
	write("NY212420%09d%07d%s", 0, b.assignments, account)
	for i, c := range told {
		notice := "N"
		if c.notice {
			notice = "J"
		}
		write("NY219470%07d%c%25s%s", i+1, c.kind, c.kid, notice)
	}
	write("NY212488%08d%08d", len(told), len(told)+2)
	write("NY000089%08d%08d", len(told), len(told)+4) // no amount, and no date
	return []byte(out.String())
}
