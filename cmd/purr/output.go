package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

// withJSON adds --json. With it, tables and facts are printed as JSON.
func withJSON(c *cobra.Command) *cobra.Command {
	c.Flags().Bool("json", false, "print JSON, for programs")
	return c
}

func wantsJSON(cmd *cobra.Command) bool {
	flag := cmd.Flags().Lookup("json")
	return flag != nil && flag.Value.String() == "true"
}

func printJSON(value any) error {
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(value)
}

// columns returns a writer that aligns the text between tabs.
func columns(out io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) }

// table is rows of values under headings.
type table struct {
	headings []string
	rows     [][]any
}

// newTable returns a table. Commas separate the headings. "BANK ACCOUNT" is "bank_account" in JSON.
func newTable(headings string) *table { return &table{headings: strings.Split(headings, ",")} }

func (t *table) add(values ...any) { t.rows = append(t.rows, values) }

// print prints the rows in columns, or with --json as an array of objects.
func (t *table) print(cmd *cobra.Command) error {
	if wantsJSON(cmd) {
		return printJSON(t.objects())
	}
	w := columns(os.Stdout)
	fmt.Fprintln(w, strings.Join(t.headings, "\t"))
	for _, row := range t.rows {
		texts := make([]string, len(row))
		for i, value := range row {
			texts[i] = inText(value)
		}
		fmt.Fprintln(w, strings.Join(texts, "\t"))
	}
	return w.Flush()
}

// objects returns the rows as objects of JSON.
func (t *table) objects() []map[string]any {
	objects := make([]map[string]any, len(t.rows))
	for n, row := range t.rows {
		objects[n] = make(map[string]any, len(row))
		for i, heading := range t.headings {
			objects[n][jsonName(heading)] = row[i]
		}
	}
	return objects
}

// fact is a value with its name.
type fact struct {
	name  string
	value any
}

// printFacts prints a line for each fact, or with --json one object.
func printFacts(cmd *cobra.Command, facts []fact) error {
	if wantsJSON(cmd) {
		return printJSON(objectOf(facts))
	}
	_, err := fmt.Print(aligned(facts))
	return err
}

// given returns the facts that have a text or a moment.
func given(facts ...fact) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return f.value == "" || f.value == (*time.Time)(nil) })
}

// objectOf returns facts as an object of JSON.
func objectOf(facts []fact) map[string]any {
	object := make(map[string]any, len(facts))
	for _, f := range facts {
		object[jsonName(f.name)] = f.value
	}
	return object
}

// into returns what keeps each finding in a list, and prints it at once, but for --json.
func into(cmd *cobra.Command, list *[]operator.Finding) func(operator.Finding) {
	return func(f operator.Finding) {
		*list = append(*list, f)
		if !wantsJSON(cmd) {
			fmt.Println(f)
		}
	}
}

// endChecks prints what was found in files with --json, and fails if one was not read, or not all is right.
func endChecks(cmd *cobra.Command, found any, unread []error, right bool) error {
	if wantsJSON(cmd) {
		if err := printJSON(found); err != nil {
			return err
		}
	}
	if err := errors.Join(unread...); err != nil || right {
		return err
	}
	return errSaid
}

// aligned returns a line for each fact.
func aligned(facts []fact) string {
	var text strings.Builder
	w := columns(&text)
	for _, f := range facts {
		fmt.Fprintf(w, "%s\t%s\n", f.name, inText(f.value))
	}
	_ = w.Flush() // a strings.Builder never fails
	return text.String()
}

// jsonName returns the name in JSON of a heading or a fact.
func jsonName(heading string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(heading))
}

// inText returns a value as one line of text for a person. A time is in the machine's time zone, with its offset.
func inText(value any) string {
	switch v := value.(type) {
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case *time.Time:
		if v == nil {
			return "-"
		}
		return inText(*v)
	case time.Time:
		return v.Local().Format("2006-01-02 15:04:05-07:00")
	case nil:
		return ""
	}
	return oneLine(fmt.Sprint(value))
}

// oneLine returns a text without line breaks, which would break a table.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// words returns words as a person lists them.
func words[T ~string](all []T) string {
	texts := make([]string, len(all))
	for i, word := range all {
		texts[i] = string(word)
	}
	return strings.Join(texts, ", ")
}

// counted returns a count with its noun.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// numberOf reads the number of a thing. The hint says how to find the number.
func numberOf(text, thing, hint string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, badUsage("%q is not %s; %s", text, thing, hint)
	}
	return n, nil
}

// dateFlag reads the date of a flag. It returns otherwise if the flag was not given.
func dateFlag(name, text string, otherwise models.Date) (models.Date, error) {
	if text == "" {
		return otherwise, nil
	}
	d, err := models.ParseDate(text)
	if err != nil {
		return 0, badUsage("--%s: %w", name, err)
	}
	return d, nil
}
