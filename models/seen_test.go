package models

import (
	"fmt"
	"testing"
)

func TestD115WhatWasSeenHolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		seen, now Seen
		holds     bool
	}{
		{"", "3", true}, // nobody looked
		{"3", "3", true},
		{"3", "4", false},
		{"3", "33", false},
		{"100.00", "100.00 1 2 0", true}, // a form of an earlier release
		{"100.00 1 2 0", "100.00 1 2 1", false},
		{"100.00 1 2 0", "100.00", false},
		{"nothing", "0", false},
	} {
		if got := c.seen.Holds(c.now); got != c.holds {
			t.Errorf("%q was seen, it is %q: it holds is %t", c.seen, c.now, got)
		}
	}
}

func TestD115AnEventTellsOfThings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e    Event
		want string
	}{
		{Event{Type: EventHoldSet, InvoiceID: 4, CustomerID: 5}, "[{hold 4}]"},
		{Event{Type: EventHoldRemoved, CustomerID: 5}, "[{customer_hold 5}]"},
		{Event{Type: EventCreditorChanged, CreditorID: 1, Facts: Facts{"dunning_policy/fee": 1, "vat_rates": 1}}, "[{policy 1} {vat 1}]"},
		{Event{Type: EventCreditorChanged, CreditorID: 1, Facts: Facts{"name": 1}}, "[{settings 1}]"},
		{Event{Type: EventCreditorChanged, CreditorID: 1}, "[{settings 1} {policy 1} {vat 1} {account_plan 1}]"},
		{Event{Type: EventCreditorChanged, CreditorID: 1, Facts: Facts{"account_plan": 1}}, "[{account_plan 1}]"},
		{Event{Type: EventInvoiceOverdue, InvoiceID: 4}, "[]"},
	} {
		if got := fmt.Sprint(c.e.ActsOn()); got != c.want {
			t.Errorf("%s tells of %s, want %s", c.e.Type, got, c.want)
		}
	}
}
