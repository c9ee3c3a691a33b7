package config

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestQ2NoSecretIsShown gives settings values with passwords, well written or not.
func TestQ2NoSecretIsShown(t *testing.T) {
	for _, tt := range []struct {
		setting     Setting
		value, want string
	}{
		{Setting{Key: "data"}, "/srv/purr", "/srv/purr"},
		{Setting{Key: "sftp-password", Secret: true}, "hemmelig", Masked},
		{Setting{Key: "smtp-url"}, "smtp://kari:hemmelig@mail.example.no:587?tls=starttls", "smtp://kari:***@mail.example.no:587?tls=starttls"},
		{Setting{Key: "smtp-url"}, "smtp://kari:hem@/?#melig@mail.example.no", "smtp://kari:***@mail.example.no"},
		{Setting{Key: "smtp-url"}, "smtp://kari:hemmelig@[::1]:25?tls=none", "smtp://kari:***@[::1]:25?tls=none"},
		{Setting{Key: "smtp-url"}, "smtp://kari:hemmelig/mail.example.no", notShown},
		{Setting{Key: "smtp-url"}, "kari:hemmelig@mail.example.no", notShown},
		{Setting{Key: "smtp-url"}, "hemmelig", notShown},
		{Setting{Key: "smtp-url"}, "smtp://ka/ri@mail", notShown},
		{Setting{Key: "redis-url"}, "redis+sentinel://:hemmelig@a:26379,b:26379/0?master=m&sentinel=u:hemmelig", "redis+sentinel://:***@a:26379,b:26379/0?master=m&sentinel=***"},
		{Setting{Key: "redis-url"}, "redis://:hemmelig@127.0.0.1:port", notShown},
		{Setting{Key: "letters-url"}, "https://h.example/p?hemmelig", "https://h.example/p?***"},
		{Setting{Key: "letters-url"}, "https://h.example/p#hemmelig", notShown},
		{Setting{Key: "database-url"}, "sqlite:/srv/purr.db", "sqlite:/srv/purr.db"},
		{Setting{Key: "dkim-key"}, "-----BEGIN PRIVATE KEY-----\nhemmelig", notShown},
		{Setting{Key: "listen"}, "[::1]:8080", "[::1]:8080"},
		{Setting{Key: "mail-from"}, "faktura@example.no", "faktura@example.no"},
	} {
		if got := Shown(tt.setting, tt.value); got != tt.want || strings.Contains(got, "hemmelig") {
			t.Errorf("%s of %s is shown as %s, want %s", tt.setting.Key, tt.value, got, tt.want)
		}
	}
}

// TestQ2EachSettingHasARow finds values of all origins, and faults of one setting and of two.
func TestQ2EachSettingHasARow(t *testing.T) {
	var a, b string
	settings := []Setting{
		{Key: "a-one", Default: "x", Set: Text(&a)},
		{Key: "b-two", Set: OneOf(&b, "", "y"), Check: func() error { return errors.New("b-two, a-one: set both") }},
		{Key: "switch", Default: "off", Set: OnOff(new(bool))},
		{Key: "none", Set: Text(new(string))},
	}
	flags := pflag.NewFlagSet("purr", pflag.ContinueOnError)
	Add(flags, settings[:3])
	if err := flags.Parse(Joined([]string{"--switch", "on"}, settings)); err != nil || flags.NArg() > 0 {
		t.Fatal(err, flags.Args())
	}
	rows := Look(flags, func(name string) (string, bool) { return "z", name == "PURR_B_TWO" || name == "PURR_A_ONE_FILE" }, settings)
	if len(rows) != 3 || rows[0].From != FromFile || rows[0].Variable != "PURR_A_ONE_FILE" || rows[1].From != FromVariable || rows[2].From != FromFlag || rows[2].Value != "on" {
		t.Fatalf("the rows are %+v", rows)
	}
	if len(rows[0].Wrong) != 2 || len(rows[1].Wrong) != 2 || len(rows[2].Wrong) != 0 || rows[1].Wrong[1] != "b-two, a-one: set both" {
		t.Errorf("wrong is %q", rows)
	}
	Tell(rows, "switch", errors.Join(errors.New("a-one: alone"), errors.New("other: of nothing")))
	if !slices.Contains(rows[0].Wrong, "alone") || !slices.Equal(rows[2].Wrong, []string{"other: of nothing"}) {
		t.Errorf("wrong is %q", rows)
	}
}

// TestQ10ASwitchTakesItsValueInEitherForm joins words that belong together, and no others.
func TestQ10ASwitchTakesItsValueInEitherForm(t *testing.T) {
	settings := []Setting{{Key: "plain", Default: off}, {Key: "text", Default: "x"}}
	for given, want := range map[string]string{
		"serve --plain on":           "serve --plain=on",
		"serve --plain off --text x": "serve --plain=off --text x",
		"serve --plain=on":           "serve --plain=on",
		"serve --plain":              "serve --plain",
		"test --plain a@b.no":        "test --plain a@b.no",
		"--text on":                  "--text on",
		"-- --plain on":              "-- --plain on",
	} {
		if got := strings.Join(Joined(strings.Fields(given), settings), " "); got != want {
			t.Errorf("%s is %s, want %s", given, got, want)
		}
	}
}
