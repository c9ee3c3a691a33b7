package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app/operator"
)

func archiveCommand() *cobra.Command {
	return group("archive", "The kept files: PDFs, collection bundles, raw bytes of payment files", archiveRepairCommand())
}

func archiveRepairCommand() *cobra.Command {
	c := &cobra.Command{Use: "repair", Short: "Put back kept files that are lost or damaged", Args: cobra.NoArgs}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		mended, gone := []operator.Finding{}, []operator.Finding{}
		files, err := o.RepairArchive(cmd.Context(), into(cmd, &mended), into(cmd, &gone))
		if err != nil {
			return err
		}
		if wantsJSON(cmd) {
			err = printJSON(struct {
				Files  int                `json:"files"`
				Mended []operator.Finding `json:"mended"`
				Gone   []operator.Finding `json:"gone"`
			}{files, mended, gone})
		} else {
			_, err = fmt.Printf("%s, %d put back\n", counted(files, "kept file"), len(mended))
		}
		if err == nil && len(gone) > 0 {
			err = fmt.Errorf("%s cannot be made again", counted(len(gone), "kept file"))
		}
		return err
	})
}
