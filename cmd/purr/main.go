// Command purr is a self-hosted invoicing and dunning service. Each of its subcommands is in a file of
// its own, named after it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	redislog "github.com/redis/go-redis/v9/logging"
	"github.com/spf13/cobra"

	"purr/app"
	"purr/config"
)

func main() {
	redislog.Disable() // what it would print is returned too, and logged once in the log's own form
	os.Exit(run(os.Args[1:]))
}

// run runs the command line until it ends or is told to stop, and returns the exit code: 0, or 1 with the
// reason on standard error; 2 where 1 is what a command found.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !errors.Is(err, errSaid) {
		fmt.Fprintln(os.Stderr, "purr: "+err.Error())
	}
	switch {
	case errors.As(err, new(troubleError)):
		return 2
	case err != nil:
		return 1
	}
	return 0
}

// errSaid is returned by a command that has said itself what is wrong.
var errSaid = errors.New("see above")

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "purr",
		Short: "Invoicing and dunning for Norwegian creditors",
		Long: `purr issues invoices, sends them, follows them up and takes in the bank's payment files.

To try it:            purr demo
To run it, at once:   purr serve
To run it in parts:   purr migrate, then purr api, purr worker and purr scheduler
                      on MySQL or MariaDB (--database-url) and Redis (--redis-url)

Every flag has an environment variable, shown in brackets; a secret can come from a
file instead, which the variable with _FILE after it names.`,
		SilenceUsage: true, SilenceErrors: true,
	}
	root.AddCommand(
		serveCommand(), apiCommand(), workerCommand(), schedulerCommand(), migrateCommand(),
		creditorCommand(), keysCommand(), ocrCommand(), dunningCommand(), shipmentsCommand(), verifyCommand(), demoCommand(),
	)
	return root
}

// onInstallation returns what runs a command that works on the installation and ends (rule R5a).
func onInstallation(do func(cmd *cobra.Command, a *app.App, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		cfg, err := config.Read(cmd.Flags(), os.LookupEnv)
		if err != nil {
			return err
		}
		a, err := app.Start(cmd.Context(), cfg, app.Parts{}, app.NewLog(os.Stderr, cfg.LogFormat))
		if err != nil {
			return err
		}
		return errors.Join(do(cmd, a, args), a.Close(context.WithoutCancel(cmd.Context())))
	}
}

// installationCommand returns a command that works on the installation.
func installationCommand(c *cobra.Command, do func(cmd *cobra.Command, a *app.App, args []string) error) *cobra.Command {
	config.AddInstallation(c.Flags())
	c.RunE = onInstallation(do)
	return c
}

// group returns a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, DisableFlagsInUseLine: true, SuggestionsMinimumDistance: 2,
		Args: noCommand, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(commands...)
	return c
}

// noCommand refuses what is none of a group's commands, which cobra takes for a call of the group itself.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see " + cmd.CommandPath() + " --help"
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		hint = "do you mean " + strings.Join(similar, " or ") + "?"
	}
	return fmt.Errorf("there is no %s %s: %s", cmd.CommandPath(), args[0], hint)
}
