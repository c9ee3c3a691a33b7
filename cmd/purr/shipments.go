package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/mailer/shipments"
	"purr/models"
)

func shipmentsCommand() *cobra.Command {
	return group("shipments", "List mails and letters, send failed ones again, and tell what became of them",
		shipmentsList(), shipmentsShow(), shipmentsRetry(), shipmentsReport())
}

// shipmentHint says how to find the ID of a shipment.
const shipmentHint = "purr shipments list shows them"

func shipmentsList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List shipments, the newest last", Args: cobra.NoArgs}
	var creditor, state, method string
	limit := 1000
	c.Flags().StringVar(&creditor, "creditor", "", "only of the creditor with this name or number")
	c.Flags().StringVar(&state, "state", "", "only in this state: "+words(models.ShipmentStates))
	c.Flags().StringVar(&method, "method", "", "only by this method: "+words(models.MethodsToAsk))
	c.Flags().IntVar(&limit, "limit", limit, "the most shipments of a creditor: the newest")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		inState, by := models.ShipmentState(state), models.ShipmentMethod(strings.ToUpper(method))
		switch {
		case state != "" && !slices.Contains(models.ShipmentStates, inState):
			return badUsage("--state: must be one of %s", words(models.ShipmentStates))
		case method != "" && !by.MayAsk():
			return badUsage("--method: must be one of %s", words(models.MethodsToAsk))
		case limit < 1:
			return badUsage("--limit: must be at least 1")
		}
		found, err := o.Shipments(cmd.Context(), creditor, inState, by, limit)
		if err != nil {
			return err
		}
		return printShipments(cmd, found)
	})
}

func printShipments(cmd *cobra.Command, found []operator.NamedShipment) error {
	if wantsJSON(cmd) {
		objects := make([]map[string]any, len(found))
		for i, s := range found {
			objects[i] = objectOf(shipmentFacts(s))
		}
		return printJSON(objects)
	}
	t := newTable("ID,CREDITOR,NAME,METHOD,STATE,ATTEMPTS,SENT AT,REASON")
	for _, s := range found {
		t.add(s.ID, s.CreditorID, s.Name, s.Method, s.State, s.Attempts, s.SentAt, s.Reason)
	}
	return t.print(cmd)
}

func shipmentsShow() *cobra.Command {
	c := &cobra.Command{Use: "show SHIPMENT", Short: "Show a shipment, to whom it goes or went, and what was reported of it", Args: cobra.ExactArgs(1)}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		s, reports, err := o.Shipment(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		facts := shipmentFacts(s)
		if wantsJSON(cmd) {
			told := make([]map[string]any, len(reports))
			for i, r := range reports {
				told[i] = map[string]any{"at": r.At, "state": r.State, "reason": r.Reason}
			}
			return printFacts(cmd, append(facts, fact{"recipient", objectOf(recipientFacts(s.To()))}, fact{"reports", told}))
		}
		if err := printFacts(cmd, append(facts, recipientFacts(s.To())...)); err != nil || len(reports) == 0 {
			return err
		}
		fmt.Println()
		t := newTable("REPORTED AT,STATE,REASON")
		for _, r := range reports {
			t.add(r.At, r.State, r.Reason)
		}
		return t.print(cmd)
	})
}

// shipmentFacts returns what is known of a shipment, by the names of the interface. What is not set is left out.
func shipmentFacts(s operator.NamedShipment) []fact {
	before := ""
	if s.FallbackOf != 0 {
		before = fmt.Sprintf("/api/v1/shipment/%d", s.FallbackOf)
	}
	return append([]fact{
		{"id", s.ID},
		{"uri", fmt.Sprintf("/api/v1/shipment/%d", s.ID)},
		{"name", s.Name},
		{"type", s.Role().Shown()},
		{"creditor", s.CreditorID},
		{"shipment_method", s.Method},
		{"state", s.State},
		{"attempts", s.Attempts},
	}, given(
		fact{"sent_at", s.SentAt},
		fact{"delivered_at", s.DeliveredAt},
		fact{"receipt", s.Receipt},
		fact{"reason", s.Reason},
		fact{"document", "/api/v1/" + s.Resource},
		fact{"fallback_of", before},
	)...)
}

// recipientFacts returns whom a shipment goes to, by the names of the interface. What is not set is left out.
func recipientFacts(r models.Recipient) []fact {
	return given(
		fact{"name1", r.Name1},
		fact{"name2", r.Name2},
		fact{"address1", r.Address1},
		fact{"address2", r.Address2},
		fact{"postal_code", r.PostalCode},
		fact{"postal_name", r.PostalName},
		fact{"country_code", r.CountryCode},
		fact{"email", r.Email},
		fact{"phone", r.Phone},
		fact{"network_id", r.NetworkID()},
	)
}

func shipmentsRetry() *cobra.Command {
	c := &cobra.Command{Use: "retry [SHIPMENT...]", Short: "Send shipments again that failed or came back: those named, or all that failed"}
	var creditor, method string
	var how shipments.Again
	c.Flags().StringVar(&creditor, "creditor", "", "all that failed of the creditor with this name or number")
	c.Flags().StringVar(&how.Email, "email", "", "send it to this e-mail address")
	c.Flags().StringVar(&method, "method", "", "send it by this method: "+words(models.ShipmentMethods))
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		if len(args) > 0 && creditor != "" {
			return badUsage("name shipments, or a --creditor")
		}
		if how.Method = models.ShipmentMethod(strings.ToUpper(method)); method != "" && !how.Method.HasChannel() {
			return badUsage("--method: must be one of %s", words(models.ShipmentMethods))
		}
		if how != (shipments.Again{}) && len(args) != 1 {
			return badUsage("--email and --method are of one shipment: name it")
		}
		if len(args) > 0 {
			return retryNamed(cmd, o, args, how)
		}
		n, err := o.RetryFailed(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		fmt.Printf("%s will be sent again\n", counted(n, "shipment"))
		return nil
	})
}

func retryNamed(cmd *cobra.Command, o *operator.Operator, named []string, how shipments.Again) error {
	for _, name := range named {
		if err := o.RetryShipment(cmd.Context(), name, how); err != nil {
			return fmt.Errorf("shipment %s: %w", name, err)
		}
	}
	fmt.Printf("%s will be sent again\n", counted(len(named), "shipment"))
	return nil
}

func shipmentsReport() *cobra.Command {
	c := &cobra.Command{
		Use:   "report SHIPMENT STATE | FILE.xml...",
		Short: "Tell what became of a shipment: a print shop's receipt, returned mail",
		Args:  cobra.MinimumNArgs(1),
	}
	var r report
	c.Flags().StringVar(&r.reason, "reason", "", "why, in a few words")
	c.Flags().StringVar(&r.at, "at", "", "the moment that the report tells of, as in 2026-11-22T09:30:00+01:00; otherwise now")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		if strings.HasSuffix(strings.ToLower(args[0]), ".xml") {
			if r != (report{}) {
				return badUsage("--reason and --at are of one report, and not of a file")
			}
			return reportFiles(cmd, o, args)
		}
		if len(args) != 2 {
			return badUsage("name a shipment and a state, or files whose names end in .xml")
		}
		return r.take(cmd, o, args[0], args[1])
	})
}

// report is what a person tells of one shipment besides its state.
type report struct{ reason, at string }

func (r report) take(cmd *cobra.Command, o *operator.Operator, shipment, state string) error {
	if !slices.Contains(models.ReportedStates, models.ShipmentState(state)) {
		return badUsage("%q is no state of a report: %s", state, words(models.ReportedStates))
	}
	var moment *time.Time
	if r.at != "" {
		t, err := time.Parse(time.RFC3339, r.at)
		if err != nil {
			return badUsage("--at: must be like 2026-11-22T09:30:00+01:00")
		}
		moment = &t
	}
	s, err := o.ReportShipment(cmd.Context(), shipment, state, r.reason, moment)
	if models.KindOf(err) == models.KindNotFound {
		return fmt.Errorf("there is no shipment %s; %s", shipment, shipmentHint)
	}
	if err != nil {
		return err
	}
	fmt.Printf("shipment %d is %s\n", s.ID, s.State)
	return nil
}

// reportFiles takes files of reports, one after the other. A file that cannot be taken keeps no other one out.
func reportFiles(cmd *cobra.Command, o *operator.Operator, paths []string) error {
	var failed error
	for _, path := range paths {
		unknown, err := reportFile(cmd, o, path)
		if err != nil {
			unknown = strings.Split(err.Error(), "\n")
		}
		for _, line := range unknown {
			fmt.Fprintf(os.Stderr, "purr: %s: %s\n", path, line)
			failed = errSaid
		}
	}
	return failed
}

// reportFile takes one file, and returns what it says of shipments that there are not.
func reportFile(cmd *cobra.Command, o *operator.Operator, path string) (unknown []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	kept, unknown, err := o.ReportFile(cmd.Context(), file)
	if err != nil {
		return nil, err
	}
	fmt.Printf("%s: %s\n", path, counted(kept, "report"))
	return unknown, nil
}
