package mailer

import (
	"strings"
	"testing"

	"purr/test/testkit/smtpserver"
)

// TestQ1AGreetingSaysHowFarItCame greets servers, and finds that the next e-mail goes by the same connection.
func TestQ1AGreetingSaysHowFarItCame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		options []smtpserver.Option
		tls     string
		user    string
	}{
		{nil, "", ""},
		{[]smtpserver.Option{smtpserver.WithSTARTTLS()}, "TLS 1.3", ""},
		{[]smtpserver.Option{smtpserver.WithTLS(), smtpserver.WithLogin("kari", "hemmelig")}, "TLS 1.3", "kari"},
	} {
		server := smtpserver.Start(t, tt.options...)
		s := newSMTP(t, server)
		g, err := s.Greet(t.Context())
		if err != nil || g.TLS != tt.tls || g.User != tt.user || g.Server != s.address() {
			t.Errorf("the greeting is %+v, %v", g, err)
		}
		if _, err := s.HandOver(t.Context(), anEmail()); err != nil || server.Connections() != 1 {
			t.Errorf("%d connections, %v", server.Connections(), err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	server := smtpserver.Start(t, smtpserver.WithSTARTTLS(), smtpserver.WithLogin("kari", "hemmelig"))
	s := newSMTP(t, server)
	s.password = "wrong"
	g, err := s.Greet(t.Context())
	if err == nil || !strings.Contains(err.Error(), "AUTH") || g.TLS != "TLS 1.3" || g.User != "" {
		t.Errorf("the greeting is %+v, %v", g, err)
	}
}
