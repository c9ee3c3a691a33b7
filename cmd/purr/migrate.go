package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/config"
)

func migrateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database's schema up to date",
		Long: `migrate brings the schema of the database up to this program's version. Run it before the parts of a
new version are started: a part that finds another version refuses to start. Data is kept. Several
at once wait for each other.`,
		Example: "  purr migrate --database-url mysql://purr:secret@db:3306/purr",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Read(cmd.Flags(), os.LookupEnv)
			if err != nil {
				return err
			}
			version, err := app.Migrate(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			fmt.Printf("the schema is at version %d\n", version)
			return nil
		},
	}
	config.AddInstallation(c.Flags())
	return c
}
