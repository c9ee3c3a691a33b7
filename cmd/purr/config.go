package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"purr/app"
)

func configCommand() *cobra.Command {
	return group("config", "Check the settings before the start, and show what can be set", configCheck(), configExample())
}

// checkedParts are what config check can check for, by the name of the command.
var checkedParts = map[string]app.Parts{"serve": app.All, "api": {API: true}, "worker": {Worker: true}, "scheduler": {Scheduler: true}}

// errWrongSettings is the error of a check that has printed what is wrong with the settings.
var errWrongSettings = fmt.Errorf("settings are wrong: %w", errSaid)

func configCheck() *cobra.Command {
	var as string
	c := &cobra.Command{Use: "check", Short: "Say of each setting what it is, where it is from and whether it works, and start nothing", Args: cobra.NoArgs}
	app.AddServer(c.Flags())
	app.AddTestClock(c.Flags())
	addNew(c)
	c.Flags().StringVar(&as, "as", "serve", "the command to check for: serve, api, worker or scheduler")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		parts, known := checkedParts[as]
		if !known {
			return badUsage("--as: must be one of %s, not %q", strings.Join(slices.Sorted(maps.Keys(checkedParts)), ", "), as)
		}
		if parts != app.All && cmd.Flags().Changed("new") {
			return badUsage("--new: only purr serve has it")
		}
		if !parts.API {
			app.ListenIfTold(cmd.Flags())
		}
		isNew, err := cmd.Flags().GetBool("new")
		if err != nil {
			return err
		}
		return printChecks(cmd, parts, isNew)
	}
	return withJSON(c)
}

// printChecks checks the settings, and prints what it finds.
func printChecks(cmd *cobra.Command, parts app.Parts, isNew bool) error {
	t, wrong := newTable("SETTING,VARIABLE,VALUE,FROM,CHECK"), false
	for _, r := range app.CheckSettings(cmd.Context(), cmd.Flags(), os.LookupEnv, parts, isNew) {
		found := "ok"
		if len(r.Wrong) > 0 {
			wrong, found = true, strings.Join(r.Wrong, "; ")
		}
		value := r.Value
		if !wantsJSON(cmd) {
			value = shortened(value)
		}
		t.add("--"+r.Key, r.Variable, value, r.From, found)
	}
	for _, v := range app.UnknownVariables(os.Environ()) {
		wrong = true
		t.add("", v.Name, "", "variable", "no setting has this variable: is it misspelt? The nearest is "+v.Nearest)
	}
	if err := t.print(cmd); err != nil {
		return err
	}
	if wrong {
		return errWrongSettings
	}
	return nil
}

func configExample() *cobra.Command {
	return &cobra.Command{
		Use: "example", Short: "Print a file of all settings, each with its default and what it is", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Print(example())
			return err
		},
	}
}

// example returns a file of variables that sets nothing, with a line for each setting.
func example() string {
	var text strings.Builder
	text.WriteString(exampleHead)
	for _, section := range app.Sections() {
		fmt.Fprintf(&text, "\n## %s\n", section.Title)
		for _, s := range section.Settings {
			fmt.Fprintf(&text, "\n# %s\n# %s=%s\n", s.Help, s.Variable(), s.Default)
		}
	}
	return text.String()
}

const exampleHead = `# The settings of purr, as an EnvironmentFile of systemd or an env_file of Compose reads them. Each line that sets something has its
# default: take away the "# " before it, and change the value. A secret need not stand here: a variable with _FILE after its
# name, such as PURR_DATABASE_URL_FILE, is the path of a file that holds the value. purr config check says whether all works.
`

// shortened returns a value that does not make a table too wide.
func shortened(value string) string {
	const most = 50
	if letters := []rune(value); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return value
}
