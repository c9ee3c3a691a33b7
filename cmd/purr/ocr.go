package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"purr/app"
)

func ocrCommand() *cobra.Command {
	return group("ocr", "Import and inspect the bank's payment files", ocrImport(), ocrFetch(), ocrChecks(), ocrConfirmNone(), ocrGet(), ocrGaps(), ocrInspect(), ocrLint(), ocrDiff(), ocrAnonymise(), ocrGenerate(), ocrStatement(), ocrUnassigned(), ocrUnmatched())
}

func ocrImport() *cobra.Command {
	var acceptConflict bool
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import payment files into the ledger, from where they lie",
		Long: `import takes payment files into the ledger. Each file is taken as a whole or not at all; one that was
imported before changes nothing. The exit code is 1 when any was rejected.

A transmission of the bank that came before with other content is rejected: one of the two is wrong, or was
edited. With --accept-conflict it is imported, and of its lines the new ones are posted.`,
		Example: "  purr ocr import OCR.txt\n  purr ocr import --accept-conflict OCR-corrected.txt",
		Args:    cobra.MinimumNArgs(1),
	}
	c.Flags().BoolVar(&acceptConflict, "accept-conflict", false, "import transmissions that came before with other content")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		table := newFileTable()
		var failed error
		for _, path := range args {
			if err := importFile(cmd, a, table, path, acceptConflict); err != nil {
				failed = errors.Join(failed, inFile(path, err))
			}
			if cmd.Context().Err() != nil {
				break
			}
		}
		if err := table.end(); failed == nil {
			return err
		}
		return failed
	})
}

// importFile imports a file, and adds it to the table.
func importFile(cmd *cobra.Command, a *app.App, table *fileTable, path string, acceptConflict bool) error {
	shown := newProgress()
	file, err := a.ImportFile(cmd.Context(), path, acceptConflict, func(done, of int) {
		shown.say("%s: %d of %d payments", filepath.Base(path), done, of)
	})
	shown.end()
	if err != nil {
		return err
	}
	return table.add(cmd.Context(), a, path, file)
}
