package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/operator"
)

func shipmentsCommand() *cobra.Command {
	return group("shipments", "List mails and letters that failed for good, and send them again", shipmentsFailed(), shipmentsRetry())
}

func shipmentsFailed() *cobra.Command {
	c := &cobra.Command{
		Use: "failed", Short: "List the shipments that failed for good", Args: cobra.NoArgs,
		Example: "  purr shipments failed\n  purr shipments failed --json | jq '.[].id'",
	}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		failed, err := o.DB.FailedShipments(cmd.Context())
		if err != nil {
			return err
		}
		t := newTable("ID,CREDITOR,DOCUMENT,METHOD,ATTEMPTS,WHY")
		for _, s := range failed {
			t.add(s.ID, s.CreditorID, s.Document().String(), s.Method, s.Attempts, s.Failure)
		}
		return t.print(cmd)
	})
}

func shipmentsRetry() *cobra.Command {
	c := &cobra.Command{
		Use:   "retry [SHIPMENT...]",
		Short: "Send failed shipments again: those with the IDs, or all",
		Long: `retry makes the server send failed shipments again within seconds. First remove the cause of the failure:
"purr shipments failed" shows it.`,
		Example: "  purr shipments failed\n  purr shipments retry 17 18\n  purr shipments retry",
	}
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		ids := make([]int64, len(args))
		for i, arg := range args {
			id, err := numberOf(arg, "a shipment's ID", "purr shipments failed shows them")
			if err != nil {
				return err
			}
			ids[i] = id
		}
		n, err := o.RetryShipments(cmd.Context(), ids...)
		if err != nil {
			return err
		}
		fmt.Printf("%d shipments will be sent again\n", n)
		return nil
	})
}
