package mailer

import (
	"fmt"
	"strings"
	"testing"
)

func TestR5cNewSMTPTakes(t *testing.T) {
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
		s, err := NewSMTP(tt.url)
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
		s, err := NewSMTP(tt.url)
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
	s, err := NewSMTP("smtp://kari:hemmelig@mail.example.no")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if got := fmt.Sprintf(form, s); strings.Contains(got, "hemmelig") || !strings.Contains(got, "mail.example.no:587") {
			t.Errorf("%s prints %s", form, got)
		}
	}
}
