package main

import (
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"purr/app"
)

func shipmentsCommand() *cobra.Command {
	return group("shipments", "See to mails and letters that failed for good", shipmentsFailed(), shipmentsRetry())
}

func shipmentsFailed() *cobra.Command {
	c := &cobra.Command{Use: "failed", Short: "List the shipments that failed for good", Args: cobra.NoArgs}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		failed, err := a.DB.FailedShipments(cmd.Context())
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tCREDITOR\tDOCUMENT\tMETHOD\tATTEMPTS\tWHY")
		for _, s := range failed {
			fmt.Fprintf(w, "%d\t%d\t%s\t%s\t%d\t%s\n", s.ID, s.CreditorID, s.Document(), s.Method, s.Attempts, s.Failure)
		}
		return w.Flush()
	})
}

func shipmentsRetry() *cobra.Command {
	c := &cobra.Command{
		Use: "retry [ID...]", Short: "Have failed shipments sent again: those named, or all",
		Example: "  purr shipments failed\n  purr shipments retry 17 18",
	}
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		ids := make([]int64, len(args))
		for i, arg := range args {
			id, err := strconv.ParseInt(arg, 10, 64)
			if err != nil {
				return fmt.Errorf("%q is not a shipment's ID; purr shipments failed shows them", arg)
			}
			ids[i] = id
		}
		n, err := a.RetryShipments(cmd.Context(), person(), ids...)
		if err != nil {
			return err
		}
		fmt.Printf("%d shipments will be sent again\n", n)
		return nil
	})
}
