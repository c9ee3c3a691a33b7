package smtpserver_test

import (
	"errors"
	"net"
	"net/smtp"
	"net/textproto"
	"net/url"
	"testing"

	"purr/test/testkit/smtpserver"
)

const text = "Subject: a line\r\n\r\n.hidden dot\r\n..\r\n"

func address(t testing.TB, s *smtpserver.Server) string {
	t.Helper()
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func send(t *testing.T, s *smtpserver.Server) error {
	t.Helper()
	return smtp.SendMail(address(t, s), nil, "a@test.example", []string{"b@test.example", "c@test.example"}, []byte(text))
}

func TestServerKeepsWhatItAccepts(t *testing.T) {
	s := smtpserver.Start(t)
	if err := send(t, s); err != nil {
		t.Fatal(err)
	}
	got := s.Wait(1)[0]
	if got.From != "a@test.example" || len(got.To) != 2 || got.To[1] != "c@test.example" || string(got.Data) != text {
		t.Errorf("got %+v", got)
	}
}

func TestServerRejectsAsOftenAsTold(t *testing.T) {
	s := smtpserver.Start(t)
	s.Reject(smtpserver.Rcpt, 451, "later\nplease", 2)
	for range 2 {
		if reply, ok := errors.AsType[*textproto.Error](send(t, s)); !ok || reply.Code != 451 || reply.Msg != "later\nplease" {
			t.Errorf("got the reply %v", reply)
		}
	}
	if err := send(t, s); err != nil {
		t.Error(err)
	}
	if got := s.Messages(); len(got) != 1 {
		t.Errorf("%d e-mails were accepted, want 1", len(got))
	}
}

func TestServerHoldsUntilReleased(t *testing.T) {
	s := smtpserver.Start(t)
	held := s.Hold(smtpserver.Content)
	sent := make(chan error, 1)
	go func() { sent <- send(t, s) }()
	<-held.Reached()
	if got := s.Messages(); len(got) != 0 {
		t.Errorf("%d e-mails were accepted while it was held", len(got))
	}
	held.Release()
	if err := <-sent; err != nil {
		t.Error(err)
	}
	s.Wait(1)
}

func TestServerGoesDownAndUp(t *testing.T) {
	s := smtpserver.Start(t)
	before := address(t, s)
	held := s.Hold(smtpserver.Hello)
	sent := make(chan error, 1)
	go func() { sent <- send(t, s) }()
	<-held.Reached()
	s.Down()
	if <-sent == nil {
		t.Error("it did not hang up on the client that it had")
	}
	if send(t, s) == nil {
		t.Error("it let a client in")
	}
	s.Up()
	if after := address(t, s); after != before {
		t.Errorf("it moved from %s to %s", before, after)
	}
	if err := send(t, s); err != nil {
		t.Error(err)
	}
}

func TestServerKeepsTheOrderOfCommands(t *testing.T) {
	s := smtpserver.Start(t, smtpserver.WithLogin("kari", "hemmelig"))
	conn, err := net.Dial("tcp", address(t, s))
	if err != nil {
		t.Fatal(err)
	}
	client := textproto.NewConn(conn)
	defer client.Close()
	if _, _, err := client.ReadResponse(220); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		command string
		code    int
	}{
		{"HELO test", 250},
		{"MAIL FROM:<a@test.example>", 530},
		{"AUTH CRAM-MD5", 504},
		{"AUTH PLAIN AGthcmkAZmVpbA==", 535},
		{"AUTH PLAIN AGthcmkAaGVtbWVsaWc=", 235},
		{"RCPT TO:<b@test.example>", 503},
		{"MAIL a@test.example", 501},
		{"MAIL FROM:<a@test.example> BODY=8BITMIME", 250},
		{"DATA", 503},
		{"RCPT b@test.example", 501},
		{"RCPT TO:<b@test.example>", 250},
		{"RSET", 250},
		{"DATA", 503},
		{"STARTTLS", 502},
		{"NOOP", 250},
		{"BURP", 500},
		{"QUIT", 221},
	} {
		if err := client.PrintfLine("%s", step.command); err != nil {
			t.Fatal(err)
		}
		if code, answer, err := client.ReadResponse(step.code); err != nil {
			t.Errorf("%s: got %d %s, want %d (%v)", step.command, code, answer, step.code, err)
		}
	}
}
