package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	redislog "github.com/redis/go-redis/v9/logging"
	"github.com/spf13/cobra"

	"purr/app"
	"purr/app/operator"
	"purr/internal/storage"
)

func main() {
	cobra.EnableCommandSorting = false // help lists commands in the order of use
	redislog.Disable()                 // its errors are returned too, and logged once in the log's own form
	os.Exit(run(os.Args[1:]))
}

// The exit codes. A command that compares or checks, such as ocr lint, ends with exitFailed if it found something. It
// ends with exitTrouble for every other failure, wrong usage included.
const (
	exitDone    = 0
	exitFailed  = 1
	exitTrouble = 2
	exitUsage   = 64 // a wrong command line
	exitData    = 65 // files that cannot be taken as they are
	exitConfig  = 78 // storage that storage-url names and that cannot be used
)

// run runs the command line until it ends or is told to stop. It prints the reason of a failure on standard error, and
// returns the exit code.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := rootCommand()
	root.SetArgs(app.Joined(args))
	begun := false // before a command begins, only the command line can be wrong
	eachCommand(root, func(c *cobra.Command) {
		do := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error {
			begun = true
			return do(cmd, args)
		}
	})
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !errors.Is(err, errSaid) {
		fmt.Fprintln(os.Stderr, "purr: "+err.Error())
	}
	return exitCode(cmd, err, begun)
}

// exitCode returns the exit code of a command that ended with an error, or with none.
func exitCode(cmd *cobra.Command, err error, begun bool) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errBadFiles):
		return exitData
	case errors.Is(err, errWrongSettings):
		return exitUsage
	case errors.Is(err, errSaid):
		return exitFailed
	case cmd.Annotations[findings] != "":
		return exitTrouble
	case errors.As(err, new(tempFail)):
		return exitTempFail
	case errors.As(err, new(storage.SetupError)):
		return exitConfig
	case !begun || errors.As(err, new(usageError)) || errors.As(err, new(app.RefusedError)):
		return exitUsage
	}
	return exitFailed
}

// eachCommand calls do with every runnable command below c.
func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	for _, sub := range c.Commands() {
		if sub.RunE != nil {
			do(sub)
		}
		eachCommand(sub, do)
	}
}

// errSaid is the error of a command that has already printed its faults.
var errSaid = errors.New("see above")

// errBadFiles is the error of a command that has printed the faults of the files that it was given.
var errBadFiles = fmt.Errorf("the files have faults: %w", errSaid)

// findings is the annotation of commands whose exit code tells what they found.
const findings = "findings"

// usageError is the error of an invalid value on the command line.
type usageError struct{ error }

func badUsage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "purr",
		Short:         "Invoicing and dunning for Norwegian creditors",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       strings.TrimSuffix(aligned(buildFacts()), "\n"),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	section(root, "Run it", serveCommand(), demoCommand(),
		partCommand("api", "Run the API alone, on MySQL and Redis", app.Parts{API: true}),
		partCommand("worker", "Run background workers alone, on MySQL and Redis", app.Parts{Worker: true}),
		partCommand("scheduler", "Run the scheduler alone, on MySQL and Redis", app.Parts{Scheduler: true}), migrateCommand(), partsCommand(), statusCommand(), healthCommand(), configCommand())
	section(root, "Backups", backupCommand(), restoreCommand())
	section(root, "Creditors and keys", creditorCommand(), keysCommand())
	section(root, "Invoices from elsewhere", adoptCommand())
	section(root, "Bank files", ocrCommand(), avtaleGiroCommand())
	section(root, "E-invoices", ehfCommand())
	section(root, "Dunning", dunningCommand(), collectionCommand())
	section(root, "Books, kept files and mail", verifyCommand(), auditCommand(), reportCommand(), accountsCommand(), customersCommand(), archiveCommand(), storageCommand(), shipmentsCommand(), waysCommand(), mailCommand())
	root.AddCommand(versionCommand(), manCommand())
	explain(root)
	return root
}

// section adds commands under their own title in the help of a group.
func section(group *cobra.Command, title string, commands ...*cobra.Command) {
	group.AddGroup(&cobra.Group{ID: title, Title: title + ":"})
	for _, c := range commands {
		c.GroupID = title
	}
	group.AddCommand(commands...)
}

func versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of purr, of its sources, of Go and of the database schema, and the database's server",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printFacts(cmd, append(buildFacts(), serverFacts(cmd)...))
		},
	}
	app.AddInstallation(c.Flags())
	return withJSON(c)
}

// serverFacts tells which database the server of the settings is, or why it cannot be asked. An SQLite file has no server.
func serverFacts(cmd *cobra.Command) []fact {
	cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
	if err == nil && cfg.Database.Embedded() {
		return nil
	}
	if err != nil {
		return []fact{{"database", err.Error()}}
	}
	server, err := app.DatabaseServer(cmd.Context(), cfg)
	if err != nil {
		return []fact{{"database", err.Error()}}
	}
	return []fact{{"database", server.Kind}, {"database version", server.Version}}
}

func buildFacts() []fact {
	b := app.ThisBuild()
	return []fact{{"version", b.Version}, {"commit", b.Commit}, {"go", b.Go}, {"schema", b.Schema}}
}

// installationCommand returns a command that works on the installation and ends (rule R5a).
func installationCommand(c *cobra.Command, do func(cmd *cobra.Command, o *operator.Operator, args []string) error) *cobra.Command {
	return openCommand(c, func(cmd *cobra.Command, a *app.App, _ app.Settings, args []string) error {
		return do(cmd, &a.Operator, args)
	})
}

// openCommand does so for a command that asks more of the installation than what a person does, or its settings.
func openCommand(c *cobra.Command, do func(cmd *cobra.Command, a *app.App, cfg app.Settings, args []string) error) *cobra.Command {
	app.AddInstallation(c.Flags())
	c.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
		if err != nil {
			return err
		}
		log := app.NewLog(os.Stderr, cfg)
		warnOfVariables(log)
		a, err := app.Start(cmd.Context(), cfg, app.Parts{}, log)
		if err != nil {
			return err
		}
		return errors.Join(do(cmd, a, cfg, args), a.Close(context.WithoutCancel(cmd.Context())))
	}
	return c
}

// warnOfVariables warns of variables that no setting has (rule D105). It shows no values.
func warnOfVariables(log *slog.Logger) {
	for _, v := range app.UnknownVariables(os.Environ()) {
		log.Warn("no setting has this variable: is it misspelt?", "variable", v.Name, "nearest", v.Nearest)
	}
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

// noCommand refuses an unknown command of a group. Without it, cobra would treat the name as an argument of the group.
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
