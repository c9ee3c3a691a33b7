package locale

import (
	"strings"
	"testing"
)

func TestN13ActorsAreNamedByTheirKeys(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		"console, API key 7 (Kari)":         "Kari",
		"console, API key 7 (Kari (vikar))": "Kari (vikar)",
		"console, API key 7 ()":             "nøkkel 7",
		"API key 12 (nettbutikken)":         "nettbutikken (API)",
		"API key 12 ()":                     "nøkkel 12 (API)",
		"command line (anna)":               "anna (kommandolinjen)",
		"command line":                      "kommandolinjen",
		"Innkrev AS":                        "Innkrev AS",
		"":                                  "",
	} {
		if got := Catalogue()["nb"].Actor(stored); got != want {
			t.Errorf("%q is %q, want %q", stored, got, want)
		}
		if back, is := Catalogue()["nb"].CommandLineActor(want); is != strings.HasPrefix(stored, "command line") || is && back != stored {
			t.Errorf("%q is %q at the command line, %v", want, back, is)
		}
	}
}
