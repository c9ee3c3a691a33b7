package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/app/operator"
	"purr/mailer/ways/own"
)

func creditorWay() *cobra.Command {
	var files []string
	c := &cobra.Command{
		Use:   "way CREDITOR [set [SETTING VALUE]... | clear SETTING...]",
		Short: "Show or change by which ways of its own a creditor's documents leave", Args: cobra.MinimumNArgs(1),
	}
	app.AddWays(c.Flags())
	c.Flags().StringArrayVar(&files, "file", nil, "SETTING=PATH: a file with the value of a setting, for a secret; with set")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		creditor, err := o.Creditor(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		change, err := wayChange(args[1:], files)
		if err != nil {
			return err
		}
		values, err := o.CreditorWays(cmd.Context(), creditor.ID)
		if err == nil && len(change) > 0 {
			cfg, wrong := app.ReadSettings(cmd.Flags(), os.LookupEnv)
			if wrong != nil {
				return wrong
			}
			values, err = o.ChangeCreditorWays(cmd.Context(), app.Changer(cfg), creditor.ID, change)
		}
		if err != nil {
			return err
		}
		return printWays(cmd, values)
	})
}

// wayChange returns the settings that the words of a command line set or clear.
func wayChange(words, files []string) (map[string]string, error) {
	change := map[string]string{}
	switch {
	case len(words) == 0 && len(files) == 0:
		return nil, nil
	case len(words) > 0 && words[0] == "set" && len(words)%2 == 1 && len(words)+len(files) > 1:
		for pair := range slices.Chunk(words[1:], 2) {
			if pair[1] == "" {
				return nil, badUsage("%s: has no value: clear it", pair[0])
			}
			change[pair[0]] = pair[1]
		}
	case len(words) > 1 && words[0] == "clear" && len(files) == 0:
		for _, key := range words[1:] {
			change[key] = ""
		}
	default:
		return nil, badUsage("say nothing after the creditor, set SETTING VALUE, or clear SETTING")
	}
	for _, f := range files {
		key, path, is := strings.Cut(f, "=")
		if !is {
			return nil, badUsage("--file: must be SETTING=PATH, not %q", f)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, badUsage("--file: %s: %v", key, err)
		}
		if change[key] = strings.TrimRight(string(content), "\r\n"); change[key] == "" {
			return nil, badUsage("--file: %s: %s is empty", key, path)
		}
	}
	return change, nil
}

func printWays(cmd *cobra.Command, values []own.Value) error {
	if wantsJSON(cmd) {
		shown := map[string]string{}
		for _, v := range values {
			if v.Shown != "" {
				shown[v.Key] = v.Shown
			}
		}
		return printJSON(shown)
	}
	t := newTable("SETTING,VALUE")
	for _, v := range values {
		if v.Shown != "" {
			t.add(v.Key, v.Shown)
		}
	}
	if len(t.rows) == 0 {
		fmt.Println("all leaves by the installation's ways")
		return nil
	}
	return t.print(cmd)
}
