package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/dunning"
	"purr/models"
)

func dunningCommand() *cobra.Command {
	c := group("dunning", "Remind of overdue invoices, warn, and hand over to debt collection")
	section(c, "What will be done", dunningPlan(), dunningForecast())
	section(c, "Runs", dunningRun(), dunningApprove())
	section(c, "One invoice", dunningHold(), dunningRelease(), dunningClose(), dunningReopen(), dunningHandOver(), dunningBundle())
	section(c, "The law", dunningRules())
	return c
}

func dunningRun() *cobra.Command {
	var date string
	c := &cobra.Command{Use: "run", Short: "Make the dunning run of today now", Args: cobra.NoArgs}
	c.Flags().StringVar(&date, "date", "", "the day, as yyyy-mm-dd, which must be today")
	return ofCreditor(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		today, on, err := todayAnd(o, creditor, date)
		if err != nil {
			return err
		}
		if on != today {
			return fmt.Errorf("today is %s, and a run is made on its own day alone; purr dunning plan --date %s shows what that day's will do", today, on)
		}
		sayIfOff(creditor)
		result, err := o.RunDunning(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		fmt.Printf("%d notices, %d hand-overs\n", len(result.Documents), result.HandOvers)
		if result.Closed > 0 {
			fmt.Printf("%d invoices closed: little of their principal was left\n", result.Closed)
		}
		if result.HeldBack {
			fmt.Println("some are held back: the bank's payment files are late")
		}
		return nil
	})
}

// todayAnd returns a creditor's date, and the date of the flag --date. The default of the flag is today.
func todayAnd(o *operator.Operator, c models.Creditor, date string) (today, on models.Date, err error) {
	if today, err = o.Today(c); err != nil {
		return 0, 0, err
	}
	on, err = dateFlag("date", date, today)
	return today, on, err
}

func dunningApprove() *cobra.Command {
	var date string
	var steps int
	c := &cobra.Command{Use: "approve", Short: "Approve the dunning run of today that waits because it is unusually large", Args: cobra.NoArgs}
	c.Flags().StringVar(&date, "date", "", "the date of the run, as yyyy-mm-dd, which must be today")
	c.Flags().IntVar(&steps, "steps", 0, "how many notices and hand-overs you have seen that the run would take (default: any number)")
	return ofCreditor(c, func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		_, on, err := todayAnd(o, creditor, date)
		if err != nil {
			return err
		}
		var seen *int
		if cmd.Flags().Changed("steps") {
			seen = &steps
		}
		run, err := o.ApproveRun(cmd.Context(), creditor, on, seen)
		if err != nil {
			return err
		}
		fmt.Printf("the dunning run of %s goes on\n", run.BusinessDate)
		return nil
	})
}

func dunningPlan() *cobra.Command {
	var date string
	var reasons bool
	c := &cobra.Command{Use: "plan", Short: "Show what the dunning run of today or of a later day will do", Args: cobra.NoArgs}
	c.Flags().StringVar(&date, "date", "", "the day, as yyyy-mm-dd (default: today)")
	c.Flags().BoolVar(&reasons, "reasons", false, "also list the invoices that the run skips, each with the reason")
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		snapshot, err := o.Snapshot(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		on, err := plannedDay(date, snapshot.Today())
		if err != nil {
			return err
		}
		sayIfOff(creditor)
		p := newPlan(cmd, snapshot, on)
		p.reasons = reasons
		if err := snapshot.EachStep(cmd.Context(), on, p.add); err != nil {
			return err
		}
		if err := p.end(); err != nil {
			return err
		}
		warn(snapshot, on)
		if on != snapshot.Today() || snapshot.RunDone() {
			return nil
		}
		return warnIfAbove(cmd, o, creditor)
	})
}

func plannedDay(date string, today models.Date) (models.Date, error) {
	on, err := dateFlag("date", date, today)
	if err != nil {
		return 0, err
	}
	return on, dunning.CanPlan(on, today)
}

// warnIfAbove warns if today's run is above the ceiling.
func warnIfAbove(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor) error {
	asked, err := o.AboveCeiling(cmd.Context(), creditor)
	if err == nil && asked != nil {
		fmt.Fprintf(os.Stderr, "warning: the run %s: it does nothing until purr dunning approve\n", asked)
	}
	return err
}

// plan is the steps of a run. It prints each step at once, however many there are. It keeps them only for JSON.
type plan struct {
	Date      models.Date            `json:"date"`
	Steps     []map[string]any       `json:"steps"`
	Run       models.RunState        `json:"run,omitempty"`     // done once today's run is made (rule L12)
	Missing   []string               `json:"missing,omitempty"` // what the creditor lacks for dunning (rule L8)
	LeftAlone map[dunning.Reason]int `json:"left_alone"`        // overdue invoices that the run skips, by reason
	Total     dunning.Totals         `json:"total"`

	reasons bool          // also list the skipped invoices
	out     *bufio.Writer // nil for JSON
	steps   *table
}

// newPlan returns the plan of a day, without its steps. It says so if today's run is made.
func newPlan(cmd *cobra.Command, snapshot *dunning.Snapshot, on models.Date) *plan {
	p := &plan{Date: on, Missing: snapshot.Missing(), LeftAlone: make(map[dunning.Reason]int), steps: newTable("INVOICE,CUSTOMER,STEP,FEE,INTEREST,OWED")}
	if on == snapshot.Today() && snapshot.RunDone() {
		p.Run = models.RunDone
		fmt.Fprintln(os.Stderr, "today's run is made: what has fallen due since is taken by tomorrow's, or now by purr dunning run")
	}
	if !wantsJSON(cmd) {
		p.out = bufio.NewWriter(os.Stdout)
		p.row("INVOICE", "CUSTOMER", "STEP", "FEE", "INTEREST", "OWED")
	}
	return p
}

// row prints a line of the plan, or keeps it for JSON. Columns have fixed widths, so that each line can be printed at
// once.
func (p *plan) row(values ...any) {
	if p.out == nil {
		p.steps.add(values...)
		return
	}
	fmt.Fprintf(p.out, "%-10v  %-30.30s  %-17s  %10v  %10v  %14v\n", values...)
}

func (p *plan) add(s dunning.Step) error {
	p.Total.Add(s)
	number, name := s.Invoice.Number, s.Invoice.Recipient.Name1
	switch s.Action {
	case dunning.Remind, dunning.Warn:
		p.row(number, name, s.Action, s.Notice.Fee, s.Notice.Interest, s.Notice.Gross)
	case dunning.Befriend:
		p.row(number, name, "friendly reminder", "", "", s.Invoice.Claimed())
	case dunning.HandOver:
		p.row(number, name, "hand-over", "", "", s.Invoice.Claimed())
	case dunning.Close:
		p.row(number, name, "close", "", "", s.Left)
	case dunning.Waive, dunning.Nothing:
		p.LeftAlone[s.Reason]++
		if p.reasons {
			p.row(number, name, s.Reason, "", "", s.Invoice.Claimed())
		}
	}
	return nil
}

// end prints the totals, or everything as JSON.
func (p *plan) end() error {
	if p.out == nil {
		p.Steps = p.steps.objects()
		return printJSON(p)
	}
	t := p.Total
	fmt.Fprintf(p.out, "\n%s: %d reminders, %d debt-collection warnings, fees %s, interest %s; %d hand-overs with %s owed\n",
		p.Date, t.Reminders, t.Warnings, t.Fees, t.Interest, t.HandOvers, t.HandedOver)
	if t.Emails > 0 {
		fmt.Fprintf(p.out, "by e-mail: %d of the reminders\n", t.Emails)
	}
	if t.Friendly > 0 {
		fmt.Fprintf(p.out, "friendly reminders by e-mail: %d\n", t.Friendly)
	}
	if t.Closed > 0 {
		fmt.Fprintf(p.out, "closed for a small remainder: %d with %s\n", t.Closed, t.WrittenOff)
	}
	for _, reason := range slices.Sorted(maps.Keys(p.LeftAlone)) {
		fmt.Fprintf(p.out, "left alone: %d, %s%s\n", p.LeftAlone[reason], reason, remedy(reason))
	}
	return p.out.Flush()
}

// remedy returns what a person can do about a reason for skipping invoices.
func remedy(r dunning.Reason) string {
	switch r { //nolint:exhaustive // the others pass by themselves, or are a person's choice
	case dunning.PaymentFileLate:
		return ": purr ocr import takes the bank's file in, purr ocr confirm-none says that there is none"
	case dunning.PaymentInQueue:
		return ": purr ocr unmatched list shows the payments"
	}
	return ""
}

// sayIfOff warns if a creditor has not switched dunning on, or lacks what dunning needs (rule L8).
func sayIfOff(c models.Creditor) {
	if !c.Policy.Enabled {
		fmt.Fprintf(os.Stderr, "dunning is switched off for %s, but for customers whose own policy switches it on: purr creditor set %d --dunning\n", c.Name, c.ID)
	}
	if missing := c.MissingToDun(); len(missing) > 0 {
		fmt.Fprintf(os.Stderr, "dunning takes no step for %s until it has %s: purr creditor set %d --help\n", c.Name, strings.Join(missing, ", "), c.ID)
	}
}

// warn warns of the figures of the law that are not known for a day (rule E6h).
func warn(snapshot *dunning.Snapshot, on models.Date) {
	for _, w := range snapshot.Warnings(on) {
		fmt.Fprintf(os.Stderr, "warning: %s (purr dunning rules set --help)\n", w.Text)
	}
}
