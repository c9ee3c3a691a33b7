package mailer

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit/smtpserver"
)

// newSMTP returns the channel to the server, and trusts the server's certificate.
func newSMTP(t *testing.T, server *smtpserver.Server) *SMTP {
	t.Helper()
	s, err := NewSMTP(server.URL(), true)
	if err != nil {
		t.Fatal(err)
	}
	s.tls.RootCAs = server.Roots()
	return s
}

func wantKind(t *testing.T, err error, want models.Kind) {
	t.Helper()
	if err == nil || models.KindOf(err) != want {
		t.Errorf("got the error %v of kind %d, want kind %d", err, models.KindOf(err), want)
	}
}

func TestR5cSMTPSends(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options []smtpserver.Option
		user    string
		tls     bool
	}{
		{"in the clear", nil, "", false},
		{"in the clear to this host, signed in", []smtpserver.Option{smtpserver.WithLogin("kari", "hemmelig")}, "kari", false},
		{"by STARTTLS", []smtpserver.Option{smtpserver.WithSTARTTLS()}, "", true},
		{"by STARTTLS, signed in by PLAIN", []smtpserver.Option{smtpserver.WithSTARTTLS(), smtpserver.WithLogin("kari", "på/?#:@%")}, "kari", true},
		{"by STARTTLS, signed in by LOGIN", []smtpserver.Option{smtpserver.WithSTARTTLS(), smtpserver.WithLogin("kari", "hemmelig", "XOAUTH2", "LOGIN")}, "kari", true},
		{"by implicit TLS, signed in", []smtpserver.Option{smtpserver.WithTLS(), smtpserver.WithLogin("kari", "hemmelig")}, "kari", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := smtpserver.Start(t, tt.options...)
			e := anEmail()
			answer, err := newSMTP(t, server).HandOver(t.Context(), e)
			if err != nil || !strings.HasPrefix(answer.Receipt, "250 ") {
				t.Fatalf("the receipt is %q, %v", answer.Receipt, err)
			}
			got := server.Wait(1)[0]
			if got.From != e.Mail.From.Address || len(got.To) != 1 || got.To[0] != e.Mail.To || got.User != tt.user || got.TLS != tt.tls || got.UTF8 {
				t.Errorf("the server got it from %s to %s, user %q, TLS %t, SMTPUTF8 %t", got.From, got.To, got.User, got.TLS, got.UTF8)
			}
			if want := mustMessage(t, e); !bytes.Equal(got.Data, want) {
				t.Errorf("the server got\n%s\nwant\n%s", got.Data, want)
			}
		})
	}
}

func TestSMTPAsksForUTF8OnlyForAddressesThatNeedIt(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	e := anEmail()
	e.Mail.To = "kåre@kunde.example"
	if err := handOver(t.Context(), newSMTP(t, server), e); err != nil {
		t.Fatal(err)
	}
	if got := server.Wait(1)[0]; !got.UTF8 || got.To[0] != e.Mail.To {
		t.Errorf("it went to %s, SMTPUTF8 %t", got.To, got.UTF8)
	}
}

// steps are all points of the conversation before the server has accepted the e-mail.
var steps = []smtpserver.Step{
	smtpserver.Connect, smtpserver.Hello, smtpserver.StartTLS, smtpserver.Auth,
	smtpserver.Mail, smtpserver.Rcpt, smtpserver.Data, smtpserver.Content,
}

func strictServer(t *testing.T) *smtpserver.Server {
	t.Helper()
	return smtpserver.Start(t, smtpserver.WithSTARTTLS(), smtpserver.WithLogin("kari", "hemmelig"))
}

func TestR5cA4xxIsTemporaryAndA5xxForGood(t *testing.T) {
	t.Parallel()
	for _, step := range steps {
		for code, want := range map[int]models.Kind{451: models.KindUnavailable, 554: models.KindInvalid} {
			t.Run(string(step), func(t *testing.T) {
				server := strictServer(t)
				times := 1
				if step == smtpserver.Hello {
					times = 2 // EHLO, and then HELO
				}
				server.Reject(step, code, "because of the weather", times)
				s := newSMTP(t, server)
				err := handOver(t.Context(), s, anEmail())
				wantKind(t, err, want)
				// A wrong password, or a sender that is not taken, would turn all of a day's e-mails into letters (rule S2).
				ofSender := slices.Index(steps, step) < slices.Index(steps, smtpserver.Rcpt)
				if refused := want == models.KindInvalid; models.IsRefused(err) != refused || models.IsSetupFault(err) != (refused && ofSender) {
					t.Errorf("it is %v", err)
				}
				if got := server.Messages(); len(got) != 0 {
					t.Errorf("it was accepted %d times", len(got))
				}
				if err := handOver(t.Context(), s, anEmail()); err != nil {
					t.Errorf("the next attempt failed: %v", err)
				}
			})
		}
	}
}

func TestR5cTheErrorNamesTheServersReason(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	server.Reject(smtpserver.Rcpt, 550, "5.1.1 no such user here", 1)
	err := handOver(t.Context(), newSMTP(t, server), anEmail())
	if err == nil || !strings.Contains(err.Error(), `RCPT TO: 550 "5.1.1 no such user here"`) {
		t.Errorf("got the error %v", err)
	}
}

func TestR5cARefusedConnectionIsTemporary(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	s := newSMTP(t, server)
	server.Down()
	wantKind(t, handOver(t.Context(), s, anEmail()), models.KindUnavailable)
	server.Up()
	if err := handOver(t.Context(), s, anEmail()); err != nil {
		t.Fatal(err)
	}
	server.Wait(1)
}

func TestABrokenConversationIsTemporary(t *testing.T) {
	t.Parallel()
	for _, step := range steps {
		t.Run(string(step), func(t *testing.T) {
			server := strictServer(t)
			server.HangUp(step, 1)
			s := newSMTP(t, server)
			wantKind(t, handOver(t.Context(), s, anEmail()), models.KindUnavailable)
			if err := handOver(t.Context(), s, anEmail()); err != nil {
				t.Fatal(err)
			}
			if got := server.Messages(); len(got) != 1 {
				t.Errorf("%d e-mails were accepted, want 1", len(got))
			}
		})
	}
}

func TestASilentServerIsTemporaryWhenTheContextEnds(t *testing.T) {
	t.Parallel()
	for _, step := range steps[:len(steps)-1] {
		t.Run(string(step), func(t *testing.T) {
			server := strictServer(t)
			held := server.Hold(step)
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-held.Reached(); cancel() }()
			err := handOver(ctx, newSMTP(t, server), anEmail())
			wantKind(t, err, models.KindUnavailable)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the error does not say that the context has ended: %v", err)
			}
		})
	}
}

func TestATimeOutIsTemporary(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	server.Hold(smtpserver.Hello)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := handOver(ctx, newSMTP(t, server), anEmail())
	wantKind(t, err, models.KindUnavailable)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error does not say that the time is up: %v", err)
	}
}

func TestR5cWhatTheServerHasAcceptedIsSent(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(*smtpserver.Server)
	}{
		{"though the connection breaks right after", func(s *smtpserver.Server) { s.HangUpAfter(smtpserver.Content, 1) }},
		{"though the server hangs up at the goodbye", func(s *smtpserver.Server) { s.HangUp(smtpserver.Quit, 1) }},
		{"though the goodbye is refused for now", func(s *smtpserver.Server) { s.Reject(smtpserver.Quit, 421, "busy", 1) }},
		{"though the goodbye is refused for good", func(s *smtpserver.Server) { s.Reject(smtpserver.Quit, 554, "never", 1) }},
		{"though the goodbye is not answered", func(s *smtpserver.Server) { s.Hold(smtpserver.Quit) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := smtpserver.Start(t)
			tt.spoil(server)
			if err := handOver(t.Context(), newSMTP(t, server), anEmail()); err != nil {
				t.Errorf("got the error %v", err)
			}
			if got := server.Messages(); len(got) != 1 {
				t.Errorf("%d e-mails were accepted, want 1", len(got))
			}
		})
	}
}

func TestD114AReplyWithoutAnEndEndsTheConnection(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", longestLine)
	for name, options := range map[string][]smtpserver.Option{"in the clear": nil, "by STARTTLS": {smtpserver.WithSTARTTLS()}, "by TLS": {smtpserver.WithTLS()}} {
		for _, at := range []smtpserver.Step{smtpserver.Connect, smtpserver.Hello, smtpserver.Mail, smtpserver.Rcpt, smtpserver.Data, smtpserver.Content} {
			if at == smtpserver.Hello && name == "by STARTTLS" {
				continue // the library reads that answer twice, once before and once after
			}
			t.Run(name+" "+string(at), func(t *testing.T) {
				t.Parallel()
				server := smtpserver.Start(t, options...)
				server.Reject(at, 550, long, 1)
				s := newSMTP(t, server)
				wantKind(t, handOver(t.Context(), s, anEmail()), models.KindUnavailable)
				if err := handOver(t.Context(), s, anEmail()); err != nil || server.Connections() != 2 {
					t.Errorf("the next attempt, by connection %d: %v", server.Connections(), err)
				}
			})
		}
	}
}

// What the server has accepted is sent once, however it says so.
func TestD114AnyAnswerOf2xxToACompleteEMailAcceptsIt(t *testing.T) {
	t.Parallel()
	for code, text := range map[int]string{200: "fine", 251: "will forward", 252: "shall try", 250: strings.Repeat("x", longestLine)} {
		server := smtpserver.Start(t)
		server.Reject(smtpserver.Content, code, text, 1)
		answer, err := newSMTP(t, server).HandOver(t.Context(), anEmail())
		if want := strconv.Itoa(code); err != nil || !strings.HasPrefix(answer.Receipt, want) {
			t.Errorf("after %d the receipt is %q: %v", code, answer.Receipt, err)
		}
	}
}

func TestR5cAnAcceptanceIsHeardThoughTheContextHasEnded(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	held := server.Hold(smtpserver.Content)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-held.Reached()
		cancel()
		held.Release()
	}()
	if err := handOver(ctx, newSMTP(t, server), anEmail()); err != nil {
		t.Errorf("got the error %v for an e-mail that the server accepted", err)
	}
}

func TestALostAnswerRepeatsTheSameMessage(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	s := newSMTP(t, server)
	for range 2 {
		if err := handOver(t.Context(), s, anEmail()); err != nil {
			t.Fatal(err)
		}
	}
	if got := server.Wait(2); !bytes.Equal(got[0].Data, got[1].Data) {
		t.Errorf("first\n%s\nthen\n%s", got[0].Data, got[1].Data)
	}
}

func TestSTARTTLSIsInsistedOn(t *testing.T) {
	t.Parallel()
	server := smtpserver.Start(t)
	s, err := NewSMTP(strings.Replace(server.URL(), "tls=none", "tls=starttls", 1), false)
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, handOver(t.Context(), s, anEmail()), models.KindUnavailable)
	if got := server.Messages(); len(got) != 0 {
		t.Errorf("it went out in the clear: %v", got)
	}
}

func TestAnUnknownCertificateIsNotTrusted(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]smtpserver.Option{"STARTTLS": smtpserver.WithSTARTTLS(), "implicit TLS": smtpserver.WithTLS()} {
		t.Run(name, func(t *testing.T) {
			server := smtpserver.Start(t, option, smtpserver.WithLogin("kari", "hemmelig"))
			s, err := NewSMTP(server.URL(), true)
			if err != nil {
				t.Fatal(err)
			}
			err = handOver(t.Context(), s, anEmail())
			wantKind(t, err, models.KindUnavailable)
			if err == nil || !strings.Contains(err.Error(), "certificate") {
				t.Errorf("the error does not speak of the certificate: %v", err)
			}
		})
	}
}

func TestNoErrorShowsThePassword(t *testing.T) {
	t.Parallel()
	command := base64.StdEncoding.EncodeToString([]byte("\x00kari\x00hemmelig"))
	for _, text := range []string{"unknown command AUTH PLAIN " + command, "hemmelig is wrong"} {
		for _, code := range []int{454, 535} {
			server := strictServer(t)
			server.Reject(smtpserver.Auth, code, text, 1)
			err := handOver(t.Context(), newSMTP(t, server), anEmail())
			if err == nil || strings.Contains(err.Error(), "hemmelig") || strings.Contains(err.Error(), command) {
				t.Errorf("after the reply %d %s the error is %v", code, text, err)
			}
		}
	}
}

// FuzzNewSMTP reads the URL of a mail server with any password, written well or not. No error shows the password.
func FuzzNewSMTP(f *testing.F) {
	f.Add("hemmelig", "")
	f.Add("pass/word?tls=x", ":587?tls=starttls")
	f.Add("1234567#@:%zz", ":99999?tls=none&tls=implicit")
	f.Fuzz(func(t *testing.T, password, tail string) {
		s, err := NewSMTP("smtp://kari:"+password+"@mail.example.no"+tail, false)
		if err != nil && len(password) > 5 && !strings.Contains("smtp://kari@mail.example.no"+tail, password) && strings.Contains(err.Error(), password) {
			t.Errorf("the error shows the password %q: %v", password, err)
		}
		if err == nil && (s.host == "" || s.port == "") {
			t.Errorf("a server without a host or a port: %+v", s)
		}
	})
}

func TestSMTPIsUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	server := strictServer(t)
	s := newSMTP(t, server)
	var senders sync.WaitGroup
	for range 20 {
		senders.Go(func() {
			if err := handOver(context.Background(), s, anEmail()); err != nil {
				t.Error(err)
			}
		})
	}
	senders.Wait()
	if got := server.Messages(); len(got) != 20 {
		t.Errorf("%d e-mails were accepted, want 20", len(got))
	}
}

func TestR5cNewSMTPTakes(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, server, user, password string }{
		{"smtp://mail.example.no", "smtp://mail.example.no:587?tls=starttls", "", ""},
		{"smtp://mail.example.no/?tls=implicit", "smtp://mail.example.no:465?tls=implicit", "", ""},
		{"smtp://mail.example.no?tls=none", "smtp://mail.example.no:25?tls=none", "", ""},
		{"smtp://mail.example.no:2525?tls=none", "smtp://mail.example.no:2525?tls=none", "", ""},
		{"smtp://kari:hemmelig@mail.example.no:587", "smtp://mail.example.no:587?tls=starttls", "kari", "hemmelig"},
		{"smtp://kari%40example.no:p%C3%A5%2F%3F%23%3A@mail.example.no", "smtp://mail.example.no:587?tls=starttls", "kari@example.no", "på/?#:"},
		{"smtp://kari:hemmelig@localhost:25?tls=none", "smtp://localhost:25?tls=none", "kari", "hemmelig"},
		{"smtp://kari:hemmelig@127.0.0.1:25?tls=none", "smtp://127.0.0.1:25?tls=none", "kari", "hemmelig"},
		{"smtp://kari:hemmelig@[::1]:25?tls=none", "smtp://[::1]:25?tls=none", "kari", "hemmelig"},
	}
	for _, tt := range tests {
		s, err := NewSMTP(tt.url, strings.Contains(tt.url, "hemmelig") && strings.Contains(tt.url, "tls=none"))
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		if s.String() != tt.server || s.user != tt.user || s.password != tt.password {
			t.Errorf("%s was read as %s, user %q, password %q", tt.url, s, s.user, s.password)
		}
	}
}

func TestR5cNewSMTPRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, fault string }{
		{"", "must begin with smtp://"},
		{"mail.example.no:25", "must begin with smtp://"},
		{"smtps://kari:hemmelig@mail.example.no", "must begin with smtp://"},
		{"kari:hemmelig@mail.example.no", "must begin with smtp://"},
		{"smtp://", "must have the form"},
		{"smtp://kari:hemmelig@:25", "must have the form"},
		{"smtp://mail.example.no/folder", "must have the form"},
		{"smtp://mail.example.no#here", "must have the form"},
		{"smtp://mail.example.no:0", "port must be from 1 to 65535"},
		{"smtp://mail.example.no:70000", "port must be from 1 to 65535"},
		{"smtp://mail.example.no:smtp", "must have the form"},
		{"smtp://mail.example.no?tls=ssl", `tls must be one of starttls, implicit and none, not "ssl"`},
		{"smtp://mail.example.no?tls=", "tls must be one of"},
		{"smtp://mail.example.no?tls=none&tls=implicit", "tls must be one of"},
		{"smtp://mail.example.no?TLS=none", `unknown parameter "TLS"`},
		{"smtp://mail.example.no?tls=none;", "must have the form"},
		{"smtp://kari@mail.example.no", "both a user and a password"},
		{"smtp://:hemmelig@mail.example.no", "both a user and a password"},
		{"smtp://kari:hemmelig@mail.example.no?tls=none", "without encryption"},
		{"smtp://kari:hemmelig@10.0.0.1?tls=none", "without encryption"},
		{"smtp://kari:hemmelig@127.0.0.1:25?tls=none", "smtp-plain"},
		{"smtp://kari:hemmelig@localhost?tls=none", "smtp-plain"},
		// A password that is not written as it must be.
		{"smtp://kari:hem/melig@mail.example.no", "special characters"},
		{"smtp://kari:12/hemmelig@mail.example.no", "special characters"},
		{"smtp://kari:12?hemmelig@mail.example.no", "special characters"},
		{"smtp://kari:12#hemmelig@mail.example.no", "special characters"},
		{"smtp://kari:12?tls=hemmelig@mail.example.no", "special characters"},
		{"smtp://kari:a@b?hemmelig=x@mail.example.no", "special characters"},
		{"smtp://kari:hemmelig%zz@mail.example.no", "special characters"},
		{"smtp://kari:hem melig@mail.example.no", "special characters"},
	}
	for _, tt := range tests {
		s, err := NewSMTP(tt.url, false)
		if err == nil {
			t.Errorf("%s was read as %s", tt.url, s)
			continue
		}
		if !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: the error is %q, which does not say %q", tt.url, err, tt.fault)
		}
		if strings.Contains(err.Error(), "hem") || strings.Contains(err.Error(), "melig") {
			t.Errorf("%s: the error shows the password: %q", tt.url, err)
		}
	}
}

func TestPrintingAnSMTPHidesThePassword(t *testing.T) {
	t.Parallel()
	s, err := NewSMTP("smtp://kari:hemmelig@mail.example.no", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if got := fmt.Sprintf(form, s); strings.Contains(got, "hemmelig") || !strings.Contains(got, "mail.example.no:587") {
			t.Errorf("%s prints %s", form, got)
		}
	}
}

func TestS3aTheEnvelopeNamesTheShipment(t *testing.T) {
	t.Parallel()
	const creditors, tag = "post@blabaer.example", "17-abcdefgh23456723"
	const asked, notify = " ENVID=" + tag + " BODY=8BITMIME RET=HDRS", " NOTIFY=FAILURE,DELAY"
	tests := []struct {
		name, bounceAddress, tag string
		options                  []smtpserver.Option
		from, fromAsks, toAsks   string
	}{
		{"to an address of its own", "bounce@example.no", tag, nil, "bounce+" + tag + "@example.no", " BODY=8BITMIME", ""},
		{"and asks for reports", "bounce@example.no", tag, []smtpserver.Option{smtpserver.WithDSN()}, "bounce+" + tag + "@example.no", asked, notify},
		{"to an address that has a plus already", "post+purr@example.no", tag, nil, "post+purr+" + tag + "@example.no", " BODY=8BITMIME", ""},
		{"to the creditor", "", tag, []smtpserver.Option{smtpserver.WithDSN()}, creditors, asked, notify},
		{"of no shipment, to the creditor", "bounce@example.no", "", []smtpserver.Option{smtpserver.WithDSN()}, creditors, " BODY=8BITMIME RET=HDRS", notify},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := smtpserver.Start(t, tt.options...)
			s := newSMTP(t, server)
			s.BounceAddress = tt.bounceAddress
			e := anEmail()
			e.Mail.Tag = tt.tag
			if err := handOver(t.Context(), s, e); err != nil {
				t.Fatal(err)
			}
			got := server.Wait(1)[0]
			if got.From != tt.from || got.FromParameters != tt.fromAsks || got.ToParameters[0] != tt.toAsks {
				t.Errorf("MAIL FROM:<%s>%s, RCPT TO:%s", got.From, got.FromParameters, got.ToParameters[0])
			}
			if !bytes.Contains(got.Data, []byte("From: =?utf-8?b?QmzDpWLDpnIgJiBTw7hubiBBUw==?= <"+creditors+">")) {
				t.Errorf("the header does not show the creditor:\n%s", got.Data)
			}
		})
	}
}
