package mailer

import (
	"strconv"
	"testing"

	"purr/test/testkit/smtpserver"
)

func TestManyEMailsGoByOneConnection(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		spoil       func(server *smtpserver.Server) // before the second of three e-mails
		connections int
		fails       bool // the second one
	}{
		{"all is well", func(*smtpserver.Server) {}, 1, false},
		{"the server has had enough of the connection", func(s *smtpserver.Server) { s.Reject(smtpserver.Mail, 421, "too many messages", 1) }, 2, false},
		{"the server has closed the connection", func(s *smtpserver.Server) { s.HangUp(smtpserver.Mail, 1) }, 2, false},
		{"the recipient is refused", func(s *smtpserver.Server) { s.Reject(smtpserver.Rcpt, 550, "no such mailbox", 1) }, 2, true},
		{"the answer to the e-mail is lost", func(s *smtpserver.Server) { s.HangUp(smtpserver.Content, 1) }, 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := smtpserver.Start(t, smtpserver.WithSTARTTLS(), smtpserver.WithLogin("kari", "hemmelig"))
			channel := newSMTP(t, server)
			sent := 0
			for i := range 3 {
				if i == 1 {
					tt.spoil(server)
				}
				e := anEmail()
				e.Name = "invoice-1-shipment-" + strconv.Itoa(i+1)
				_, err := channel.HandOver(t.Context(), e)
				if fails := err != nil; fails != (tt.fails && i == 1) {
					t.Errorf("e-mail %d: %v", i+1, err)
				}
				if err == nil {
					sent++
				}
			}
			if got := len(server.Messages()); got != sent || server.Connections() != tt.connections {
				t.Errorf("the server got %d e-mails by %d connections, want %d by %d", got, server.Connections(), sent, tt.connections)
			}
		})
	}
}

func TestAConnectionEndsAfterAHundredEMails(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	channel := newSMTP(t, server)
	for range mostSent + 1 {
		if _, err := channel.HandOver(t.Context(), anEmail()); err != nil {
			t.Fatal(err)
		}
	}
	if got := server.Connections(); got != 2 {
		t.Errorf("%d e-mails went by %d connections", mostSent+1, got)
	}
}
