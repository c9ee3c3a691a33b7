package main

import (
	"fmt"

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
		for _, path := range args {
			file, err := a.ImportFile(cmd.Context(), path, acceptConflict)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if err := table.add(cmd.Context(), a, path, file); err != nil {
				return err
			}
		}
		return table.end()
	})
}
