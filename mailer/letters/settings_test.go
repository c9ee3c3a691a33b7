package letters

import (
	"strings"
	"testing"

	"purr/test/testkit/settings"
)

func TestS4TheWayOfLetters(t *testing.T) {
	for _, url := range []string{"", "file:"} {
		var s Settings
		if err := settings.Read(t, s.Declare(), nil, "--letters-url", url); err != nil || s.URL != "" || s.Scheme() != "" {
			t.Errorf("%q is %+v, %v", url, s, err)
		}
	}
	for args, want := range map[string]string{
		"--letters-url sftp://purr@print.example.no/in --letters-password x --letters-every 5m":   "",
		"--letters-url ipps://printer.example.no/ipp/print":                                       "",
		"--letters-url https://print.example.no/{{name}} --letters-template t --letters-secret x": "",
		"--letters-url http://127.0.0.1:8080/letters --letters-template t":                        "",
		"--letters-url https://print.example.no/":                                                 "needs a template",
		"--letters-template t":                                     "a template is of an https URL",
		"--letters-url ipp://printer/ --letters-template t":        "a template is of an https URL",
		"--letters-secret x":                                       "only a letters-template",
		"--letters-url sftp://purr@print.example.no/in":            "needs letters-key-file or letters-password",
		"--letters-url ipp://printer/ --letters-host-key SHA256:x": "only an sftp URL",
		"--letters-url ftp://print.example.no/":                    "--letters-url: must be file:",
		"--letters-url print.example.no":                           "--letters-url: must be file:",
		"--letters-every 5s":                                       "--letters-every: must be a duration from 1m",
	} {
		err := settings.Read(t, new(Settings).Declare(), nil, strings.Fields(args)...)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", args, err, want)
		}
	}
}
