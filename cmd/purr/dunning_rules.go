package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/law"
	"purr/models"
)

func dunningRules() *cobra.Command {
	return group("rules", "Show, check and set the figures of the law",
		rulesList(), rulesSet(), rulesRemove(), rulesCheck())
}

func rulesList() *cobra.Command {
	var creditor string
	c := &cobra.Command{Use: "list", Short: "Show which figures hold today and which begin later, with their sources", Args: cobra.NoArgs}
	c.Flags().StringVar(&creditor, "creditor", "", "show the figures for this creditor, given by name or number")
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		of, err := creditorOrAll(cmd, o, creditor)
		if err != nil {
			return err
		}
		rules, err := o.RulesFor(cmd.Context(), of.ID)
		if err != nil {
			return err
		}
		today, err := of.Today(o.Clock.Now())
		if err != nil {
			return err
		}
		return printRules(cmd, rules, today)
	})
}

func printRules(cmd *cobra.Command, rules *law.Rules, today models.Date) error {
	figures := newTable("KIND,FROM,VALUE,SET BY,SOURCE")
	for _, f := range rules.Figures(today) {
		figures.add(f.Kind, f.From, f.Value, f.Origin, f.Source)
	}
	known := newTable("KIND,KNOWN UNTIL,VALUE")
	for _, h := range rules.Expiries(today) {
		known.add(h.Kind, h.Until, h.Value)
	}
	if wantsJSON(cmd) {
		return printJSON(map[string]any{"figures": figures.objects(), "known": known.objects()})
	}
	if err := figures.print(cmd); err != nil {
		return err
	}
	fmt.Println()
	for _, h := range rules.Expiries(today) {
		fmt.Println(knownUntil(h, today))
	}
	return nil
}

// knownUntil says until when a figure is known.
func knownUntil(h law.Expiry, today models.Date) string {
	switch {
	case h.Value == "":
		return fmt.Sprintf("%s is not set: none is charged", h.Kind)
	case h.Until < today:
		return fmt.Sprintf("%s was known until %s: the last one, %s, goes on until purr dunning rules set", h.Kind, h.Until, h.Value)
	}
	return fmt.Sprintf("%s is known until %s, for %d days more", h.Kind, h.Until, h.Until-today)
}

// creditorOrAll returns the named creditor. Without a name it returns a default creditor with the number 0, which
// stands for all.
func creditorOrAll(cmd *cobra.Command, o *operator.Operator, name string) (models.Creditor, error) {
	if name == "" {
		return models.NewCreditor("all"), nil
	}
	return o.Creditor(cmd.Context(), name)
}

func rulesSet() *cobra.Command {
	var source string
	c := &cobra.Command{Use: "set KIND FROM VALUE --source TEXT", Short: "Set a figure of the law for all creditors", Args: cobra.ExactArgs(3)}
	c.Flags().StringVar(&source, "source", "", "the regulation or another source of the figure")
	_ = c.MarkFlagRequired("source") // fails only for a flag that does not exist
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		from, err := ruleDate(args[1])
		if err != nil {
			return err
		}
		rule := models.DunningRule{Kind: models.RuleKind(args[0]), FromDate: from, Value: args[2], Source: source}
		if err := o.SetRule(cmd.Context(), rule); err != nil {
			return err
		}
		fmt.Printf("%s is %s from %s on\n", rule.Kind, rule.Value, rule.FromDate)
		if from <= models.DateOf(o.Clock.Now()) {
			fmt.Println("that day has begun: notices that were issued since stay as they are")
		}
		return nil
	})
}

func rulesRemove() *cobra.Command {
	var creditor string
	c := &cobra.Command{Use: "remove KIND FROM", Short: "Remove a figure that was set", Args: cobra.ExactArgs(2)}
	c.Flags().StringVar(&creditor, "creditor", "", "remove a figure that this creditor has set for itself, not one for all")
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		from, err := ruleDate(args[1])
		if err != nil {
			return err
		}
		of, err := creditorOrAll(cmd, o, creditor)
		if err != nil {
			return err
		}
		return o.RemoveRule(cmd.Context(), models.DunningRule{CreditorID: of.ID, Kind: models.RuleKind(args[0]), FromDate: from})
	})
}

func rulesCheck() *cobra.Command {
	return &cobra.Command{
		Use: "check DIR", Short: "Check a folder of figures before purr is started with --rules DIR", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := operator.ReadRules(args[0]); err != nil {
				return err
			}
			fmt.Println("the files are right")
			return nil
		},
	}
}

// ruleDate reads the first day of a figure.
func ruleDate(text string) (models.Date, error) {
	d, err := models.ParseDate(text)
	if err != nil {
		return 0, badUsage("FROM: %w", err)
	}
	return d, nil
}
