package models

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestS1WhatAReportDoesToEachState has a row for every pair of a state and a report. The report that gave the present
// state tells of nine o'clock; the columns are what a report of eight, of nine and of ten o'clock makes of the shipment.
func TestS1WhatAReportDoesToEachState(t *testing.T) {
	const (
		owed, sent, delivered = ShipmentOwed, ShipmentSent, ShipmentDelivered
		failed, returned      = ShipmentFailed, ShipmentReturned
		delayed, withdrawn    = ReportedDelayed, ShipmentWithdrawn
	)
	hour := func(h int) time.Time { return time.Date(2026, 3, 2, h, 0, 0, 0, time.UTC) }
	tests := []struct {
		state, report    ShipmentState
		eight, nine, ten ShipmentState
		because          string
	}{
		{owed, sent, sent, sent, sent, "a print shop has posted it"},
		{owed, delivered, delivered, delivered, delivered, "what has arrived has left"},
		{owed, failed, failed, failed, failed, "the print shop will not post it"},
		{owed, returned, returned, returned, returned, "what came back has left"},
		{owed, delayed, owed, owed, owed, "a note"},
		{sent, sent, sent, sent, sent, "known"},
		{sent, delivered, delivered, delivered, delivered, "an arrival outweighs the sending, whatever the clocks say"},
		{sent, failed, sent, failed, failed, "the later of the two; at one moment the one that is better for the debtor"},
		{sent, returned, returned, returned, returned, "it came back"},
		{sent, delayed, sent, sent, sent, "a note"},
		{delivered, sent, delivered, delivered, delivered, "known"},
		{delivered, delivered, delivered, delivered, delivered, "known"},
		{delivered, failed, delivered, delivered, delivered, "of another try than the one that arrived"},
		{delivered, returned, delivered, returned, returned, "put back into the mailbox by who lives there"},
		{delivered, delayed, delivered, delivered, delivered, "a note"},
		{failed, sent, failed, failed, sent, "posted after all"},
		{failed, delivered, delivered, delivered, delivered, "it has arrived, whoever thought otherwise"},
		{failed, failed, failed, failed, failed, "known"},
		{failed, returned, returned, returned, returned, "it was on its way"},
		{failed, delayed, failed, failed, failed, "a note"},
		{returned, sent, returned, returned, returned, "known"},
		{returned, delivered, returned, returned, delivered, "the mail has tried once more"},
		{returned, failed, returned, returned, returned, "known"},
		{returned, returned, returned, returned, returned, "known"},
		{returned, delayed, returned, returned, returned, "a note"},
		{withdrawn, sent, withdrawn, withdrawn, withdrawn, "nothing is claimed by it any more"},
		{withdrawn, delivered, withdrawn, withdrawn, withdrawn, "nothing is claimed by it any more"},
		{withdrawn, failed, withdrawn, withdrawn, withdrawn, "nothing is claimed by it any more"},
		{withdrawn, returned, withdrawn, withdrawn, withdrawn, "nothing is claimed by it any more"},
		{withdrawn, delayed, withdrawn, withdrawn, withdrawn, "a note"},
	}
	if pairs := len(ShipmentStates) * len(ReportedStates); len(tests) != pairs {
		t.Errorf("%d pairs are tried of %d", len(tests), pairs)
	}
	nine := hour(9)
	for _, tt := range tests {
		for h, want := range map[int]ShipmentState{8: tt.eight, 9: tt.nine, 10: tt.ten} {
			got := Shipment{State: tt.state, ReportedAt: &nine}.Heed(ShipmentReport{State: tt.report, At: hour(h)})
			if got.State != want {
				t.Errorf("%s at nine, then %s of %d o'clock: it is %s, want %s (%s)", tt.state, tt.report, h, got.State, want, tt.because)
			}
		}
		ten := hour(10)
		retried := Shipment{State: tt.state, RetriedAt: &ten}
		if got := retried.Heed(ShipmentReport{State: tt.report, At: hour(9)}); got.State != tt.state {
			t.Errorf("%s since it was sent again at ten, %s of nine o'clock: it is %s", tt.state, tt.report, got.State)
		}
	}
}

// TestS1ReportsInAnyOrderTellTheSame gives the reports of three moments in every order.
func TestS1ReportsInAnyOrderTellTheSame(t *testing.T) {
	moments := []time.Time{time.Unix(100, 0), time.Unix(200, 0), time.Unix(300, 0)}
	for _, base := range []ShipmentState{ShipmentOwed, ShipmentSent, ShipmentFailed} {
		for n := range len(ReportedStates) * len(ReportedStates) * len(ReportedStates) {
			var told []ShipmentReport
			for _, at := range moments {
				told = append(told, ShipmentReport{State: ReportedStates[n%len(ReportedStates)], At: at})
				n /= len(ReportedStates)
			}
			outcomes := make(map[ShipmentState][]string)
			for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				s, said := Shipment{State: base}, ""
				for _, i := range order {
					s = s.Heed(told[i])
					said += fmt.Sprintf(" %s@%d", told[i].State, told[i].At.Unix())
				}
				outcomes[s.State] = append(outcomes[s.State], said)
			}
			if len(outcomes) > 1 {
				t.Errorf("from %s the order matters: %v", base, outcomes)
			}
		}
	}
}

func TestS1AReportTellsWhenItLeftAndArrived(t *testing.T) {
	at := func(h int) time.Time { return time.Date(2026, 3, 2, h, 0, 0, 0, time.UTC) }
	handedOver := at(9)
	s := Shipment{State: ShipmentSent, SentAt: &handedOver, Reason: "none"}
	if s = s.Heed(ShipmentReport{State: ShipmentSent, At: at(15)}); !s.SentAt.Equal(at(15)) {
		t.Errorf("the print shop posted it at 15, it says %s", s.SentAt)
	}
	if s = s.Heed(ShipmentReport{State: ShipmentSent, At: at(12)}); !s.SentAt.Equal(at(15)) {
		t.Errorf("an earlier moment is believed: %s", s.SentAt)
	}
	if s = s.Heed(ShipmentReport{State: ShipmentDelivered, At: at(20), Reason: "in the mailbox"}); s.DeliveredAt == nil || !s.DeliveredAt.Equal(at(20)) || s.Reason != "" {
		t.Errorf("it was delivered at %v, because of %q", s.DeliveredAt, s.Reason)
	}
	if s = s.Heed(ShipmentReport{State: ShipmentReturned, At: at(21), Reason: "moved"}); s.Reason != "moved" || s.State.HasLeft() {
		t.Errorf("it came back, because of %q", s.Reason)
	}
	if fresh := (Shipment{State: ShipmentOwed}).Heed(ShipmentReport{State: ShipmentDelivered, At: at(20)}); fresh.SentAt == nil {
		t.Error("what has arrived was never sent")
	}
}

func TestS1aNamesOfShipments(t *testing.T) {
	for kind, want := range map[DocumentKind]string{
		InvoiceDocument:    "invoice-10001-shipment-17",
		CreditNoteDocument: "credit-note-10001-shipment-17",
		NoticeDocument:     "overdue-notice-10001-shipment-17",
	} {
		name := Shipment{ID: 17, DocumentKind: kind}.Name(10001)
		gotKind, number, id, is := ParseShipmentName(name)
		if name != want || !is || gotKind != kind || number != 10001 || id != 17 {
			t.Errorf("%s is named %s, which is read as %s %d %d %t", kind, name, gotKind, number, id, is)
		}
	}
	for _, bad := range []string{"", "17", "invoice-1-shipment-", "invoice-1-shipment-0", "invoice-1-shipment-7.pdf", "Invoice-1-shipment-7", "invoice-1-shipment-9999999999999999999"} {
		if _, _, _, is := ParseShipmentName(bad); is {
			t.Errorf("%q is a name", bad)
		}
	}
}

func TestForeignTextsAreMadeHarmless(t *testing.T) {
	for text, want := range map[string]string{
		" 250 2.0.0\r\n\tOk ":   "250 2.0.0 Ok",
		"no\x00 such\u202e box": "no such box",
		"\xff\xfe":              "\ufffd",
	} {
		if got := Foreign(text, 40); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := Foreign("ååååå", 4); !slices.Equal([]rune(got), []rune("ååå…")) {
		t.Errorf("a long text becomes %q", got)
	}
}
