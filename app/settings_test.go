package app

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"purr/api/access"
	"purr/internal/remote"
	"purr/jobs"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/ocr"
	"purr/ocr/avtalegiro"
	"purr/ocr/inbound"
	"purr/store"
	"purr/store/archive"
)

func readSettings(t *testing.T, variables map[string]string, args ...string) (Settings, error) {
	t.Helper()
	f := pflag.NewFlagSet("purr", pflag.ContinueOnError)
	AddServer(f)
	AddTestClock(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return ReadSettings(f, func(name string) (string, bool) { value, is := variables[name]; return value, is })
}

func TestR1WithNothingSetEverythingIsInTheDataFolder(t *testing.T) {
	s, err := readSettings(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	columns, err := avtalegiro.ParseColumns(avtalegiro.UsualColumns)
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{
		Data: "./purr-data", Listen: "127.0.0.1:8080", LogFormat: "text",
		Database: store.Settings{URL: "sqlite:purr-data/purr.db"}, Inbox: inbound.InboxSettings{Folder: "purr-data/inbox"},
		Files: ocr.Settings{KeepRejected: 90 * 24 * time.Hour}, Archive: archive.Settings{MinFree: 1 << 30}, Worker: jobs.Settings{Concurrency: 8}, Sessions: access.Settings{Idle: 8 * time.Hour},
		Bank:               inbound.BankSettings{Access: remote.Access{Prefix: "sftp"}, After: inbound.AfterLeave, Every: 15 * time.Minute},
		Collector:          remote.Access{Prefix: "collection-sftp"},
		Reports:            15 * time.Minute,
		AvtaleGiro:         avtalegiro.Settings{Access: remote.Access{Prefix: "avtalegiro"}, Every: 15 * time.Minute, Columns: columns},
		AuditBeforeSending: "hold",
		EHF:                peppol.Settings{Access: remote.Access{Prefix: "ehf"}, Every: 15 * time.Minute},
		Letters:            letters.Settings{Access: remote.Access{Prefix: "letters"}, Every: 15 * time.Minute},
		Lookup:             peppol.LookupSettings{By: "off"},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("the settings are %+v\nwant   %+v", s, want)
	}
	if !s.Database.Embedded() {
		t.Error("the default is not embedded")
	}
}

func TestEveryWrongValueIsNamedByItsKey(t *testing.T) {
	_, err := readSettings(t, map[string]string{
		"PURR_BASE_URL": "invoices.example.no", "PURR_RATE_LIMIT": "-1", "PURR_LOG_FORMAT": "xml", "PURR_LOG_LEVEL": "all",
		"PURR_SMTP_URL": "a", "PURR_SMTP_URL_FILE": "b", "PURR_REDIS_URL_FILE": "/does/not/exist",
	}, "--concurrency", "none", "--sftp-after", "burn", "--sftp-every", "5s", "--console-idle", "9d", "--test-clock", "yesterday")
	if err == nil {
		t.Fatal("they are taken")
	}
	for _, key := range []string{"--concurrency", "--sftp-after", "--sftp-every", "--console-idle", "--test-clock", "PURR_BASE_URL", "PURR_RATE_LIMIT", "PURR_LOG_FORMAT", "PURR_LOG_LEVEL", "PURR_SMTP_URL", "PURR_REDIS_URL_FILE"} {
		if !strings.Contains(err.Error(), key+": ") {
			t.Errorf("the error does not name %s:\n%v", key, err)
		}
	}
}

// TestEachSettingHasAPlaceOfItsOwn sets each setting alone, to a value that no other has, and finds that the settings differ in it.
func TestEachSettingHasAPlaceOfItsOwn(t *testing.T) {
	values := map[string]string{
		"log-format": "json", "log-level": "error", "base-url": "https://x", "keep-rejected": "7", "min-free-disk": "7MiB", "mail-from": "a@b", "bounce-address": "a@b", "mail-rate": "7", "smtp-plain": "on", "rate-limit": "7",
		"trusted-proxies": "::1", "console-idle": "7h", "webhook-private-addresses": "on", "concurrency": "7", "database-connections": "9", "sftp-after": "move", "sftp-every": "7m", "collector-every": "7m", "avtalegiro-every": "7m", "audit-before-sending": "warn", "avtalegiro-columns": "kid=K,due_date=D,status=S", "letters-url": "ipp://x/",
		"letters-every": "7m", "ehf-url": "file:/x", "ehf-every": "7m", "ehf-envelope": "sbdh", "efaktura-url": "https://x", "peppol-lookup": "dns", "test-clock": "2026-01-05T08:00:00Z",
	}
	begin := func() (s Settings) {
		for _, setting := range s.all() {
			if err := setting.Set(setting.Default); err != nil && setting.Key != "log-level" {
				t.Fatal(err)
			}
		}
		return s
	}
	found := map[string]string{}
	for i, setting := range new(Settings).all() {
		s := new(Settings)
		*s = begin()
		value := cmp.Or(values[setting.Key], "x")
		if err := s.all()[i].Set(value); err != nil {
			t.Errorf("%s: %v", setting.Key, err)
		}
		got := fmt.Sprintf("%+v", *s)
		if other, is := found[got]; is || got == fmt.Sprintf("%+v", begin()) {
			t.Errorf("%s sets nothing, or what %s sets", setting.Key, other)
		}
		found[got] = setting.Key
	}
}
