package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
)

// readTwo reads a database's URL, and a mail server's that must be there if the database is called alone.
func readTwo(t *testing.T, variables map[string]string, args ...string) (database, mail string, err error) {
	t.Helper()
	settings := []Setting{
		{Key: "database-url", Help: "database", Set: Text(&database), Check: func() error {
			if database == "alone" && mail == "" {
				return errors.New("database-url, smtp-url: set both")
			}
			return nil
		}},
		{Key: "smtp-url", Help: "mail server", Set: File(&mail)},
		{Key: "letters-url", Help: "way of letters", Set: OneOf(new(string), "", "file:")},
	}
	flags := pflag.NewFlagSet("purr", pflag.ContinueOnError)
	Add(flags, settings[:2]) // a command without letters
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	err = Read(flags, func(name string) (string, bool) { value, is := variables[name]; return value, is }, settings)
	return database, mail, err
}

func TestR3WhereAValueComesFrom(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(secret, []byte("mysql://from-file@h/n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		env  map[string]string
		want string
	}{
		{"a flag wins over the environment", []string{"--database-url", "mysql://flag@h/n"}, map[string]string{"PURR_DATABASE_URL": "mysql://env@h/n"}, "mysql://flag@h/n"},
		{"the environment wins over the default", nil, map[string]string{"PURR_DATABASE_URL": "mysql://env@h/n"}, "mysql://env@h/n"},
		{"a secret comes from a file, its last line end cut", nil, map[string]string{"PURR_DATABASE_URL_FILE": secret}, "mysql://from-file@h/n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			database, _, err := readTwo(t, test.env, test.args...)
			if err != nil || database != test.want {
				t.Errorf("DatabaseURL = %q, %v; want %q", database, err, test.want)
			}
		})
	}
}

func TestWhatIsWrongIsToldTogether(t *testing.T) {
	_, _, err := readTwo(t, map[string]string{"PURR_SMTP_URL": "a\nb", "PURR_LETTERS_URL": "x"}, "--database-url", "alone")
	const want = "PURR_SMTP_URL: must be the path of a file, not what is in it\ndatabase-url, smtp-url: set both"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
