package main

import (
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
)

func ocrGaps() *cobra.Command {
	var dismissed []string
	c := &cobra.Command{
		Use:   "gaps",
		Short: "List the bank's transmissions that were skipped and have not come since",
		Long: `gaps lists the numbers that the bank's OCR giro transmissions have skipped. The bank's online service has the files
for a while: import them, and they are listed no more. Dismiss those that will not come.`,
		Example: "  purr ocr gaps\n  purr ocr gaps --dismiss 3,4",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringSliceVar(&dismissed, "dismiss", nil, "IDs of those that will not come")
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		for _, text := range dismissed {
			id, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("--dismiss: %q is not an ID; purr ocr gaps shows them", text)
			}
			if err := a.DismissGap(cmd.Context(), id); err != nil {
				return fmt.Errorf("--dismiss %d: %w", id, err)
			}
		}
		missing, err := a.DB.MissingTransmissions(cmd.Context())
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tTRANSMISSION\tFROM\tTO\tMISSED BY FILE")
		for _, m := range missing {
			fmt.Fprintf(w, "%d\t%07d\t%s\t%s\t%d\n", m.ID, m.Serial, m.Sender, m.Recipient, m.PaymentFileID)
		}
		return w.Flush()
	})
}
