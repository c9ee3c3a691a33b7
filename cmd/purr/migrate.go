package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app"
)

func migrateCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "migrate", Short: "Bring the database's schema up to date", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := readSettings(cmd)
			if err != nil {
				return err
			}
			tell := func(sentence string) { fmt.Fprintln(os.Stderr, sentence) }
			if finish, err := cmd.Flags().GetBool("finish"); err != nil || finish {
				if err != nil {
					return err
				}
				return finishUpgrade(cmd, cfg, tell)
			}
			version, err := app.Migrate(cmd.Context(), cfg, tell)
			if err != nil {
				return err
			}
			fmt.Printf("the schema is at version %d\n", version)
			return nil
		},
	}
	app.AddInstallation(c.Flags())
	addNew(c)
	c.Flags().Bool("finish", false, "end an upgrade: take away what only older programs used, once none of them runs")
	return c
}

func finishUpgrade(cmd *cobra.Command, cfg app.Settings, tell func(string)) error {
	made, err := app.FinishUpgrade(cmd.Context(), cfg, tell)
	if err != nil {
		return err
	}
	what := "nothing is left to take away"
	if made > 0 {
		what = fmt.Sprintf("%d migrations took away what only older programs used", made)
	}
	fmt.Printf("the upgrade to schema %d is finished: %s, and older programs write nothing any more\n", app.ThisBuild().Schema, what)
	return nil
}

func partsCommand() *cobra.Command {
	c := &cobra.Command{Use: "parts", Short: "List the processes of this installation that live, with their versions", Args: cobra.NoArgs}
	return openCommand(withJSON(c), func(cmd *cobra.Command, a *app.App, _ app.Settings, _ []string) error {
		parts, err := a.LivingParts(cmd.Context())
		if err != nil {
			return err
		}
		t := newTable("ID,KIND,HOST,VERSION,SCHEMA MIN,SCHEMA MAX,SINCE,BEAT")
		for _, p := range parts {
			t.add(p.ID, p.Kind, p.Host, p.Version, p.SchemaMin, p.SchemaMax, p.StartedAt, p.SeenAt)
		}
		return t.print(cmd)
	})
}
