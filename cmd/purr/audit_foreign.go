package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/audit/foreign"
	"purr/audit/reckoning"
	"purr/law"
)

// foreignForms are the forms of the answer.
var foreignForms = append(slices.Clone(foreign.Forms), "pdf")

// foreignAudit is what purr audit foreign is asked for.
type foreignAudit struct {
	template, rules, language string
	name                      string // whose letters they are
	form, output              string
	force                     bool
}

func auditForeign() *cobra.Command {
	var a foreignAudit
	c := &cobra.Command{
		Use:   "foreign DIR|FILE.zip",
		Short: "Say which charges of another system's letters were unlawful, and what to pay back to whom",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case a.template != "" && len(args) > 0:
				return badUsage("--template writes a folder, and judges none")
			case a.template != "":
				return writeTemplate(a.template)
			case len(args) == 0:
				return badUsage("name a folder or a zip with the letters, or --template and a folder to write; usage: %s", cmd.UseLine())
			}
			return a.run(cmd, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&a.template, "template", "", "folder to write the three files into, with examples")
	f.StringVar(&a.form, "format", "table", "one of "+strings.Join(foreignForms, ", "))
	f.StringVar(&a.output, "out", standard, "file to write; - is standard output")
	f.BoolVar(&a.force, "force", false, "replace the file of --out if there is one")
	f.StringVar(&a.language, "language", "en", "language of the sentences: "+strings.Join(foreign.Languages, ", "))
	f.StringVar(&a.name, "name", "", "whose letters they are, for the PDF")
	f.StringVar(&a.rules, "rules", "", "folder with figures of the law that the program does not know yet")
	withJSON(c)
	c.MarkFlagsMutuallyExclusive("format", "json")
	return c
}

func writeTemplate(folder string) error {
	if err := foreign.Template(folder); err != nil {
		return err
	}
	for _, f := range foreign.Files {
		fmt.Println(filepath.Join(folder, f.Name))
	}
	return nil
}

// run judges the letters, writes the answer, and says in words what it came to, where that does not stand in the answer.
func (a *foreignAudit) run(cmd *cobra.Command, where string) error {
	if wantsJSON(cmd) {
		a.form = "json"
	}
	if !slices.Contains(foreignForms, a.form) {
		return badUsage("--format must be one of %s", strings.Join(foreignForms, ", "))
	}
	if !slices.Contains(foreign.Languages, a.language) {
		return badUsage("--language must be one of %s", strings.Join(foreign.Languages, ", "))
	}
	figures, err := a.figures()
	if err != nil {
		return err
	}
	set, err := readForeign(cmd, where)
	if err != nil {
		return err
	}
	answer := set.Judge(figures, a.language)
	err = writeOutput(cmd.Context(), a.output, a.force, func(out io.Writer) error {
		if a.form == "pdf" {
			return a.writePDF(out, set, figures)
		}
		return answer.Write(out, a.form)
	})
	if err != nil {
		return err
	}
	sayLastLine(answer.LastLine(), a.form, a.output)
	if answer.Unlawful() {
		return errSaid
	}
	return nil
}

// sayLastLine says in words what an audit came to: after a table that is printed on standard output, else on standard error (rule U12).
func sayLastLine(line, form, output string) {
	words := os.Stderr
	if form == "table" && output == standard {
		words = os.Stdout
	}
	fmt.Fprintln(words, line)
}

// figures reads the law's figures for the audit.
func (a *foreignAudit) figures() (*reckoning.Law, error) {
	rules := law.Default()
	if a.rules != "" {
		var err error
		if rules, err = operator.ReadRules(a.rules); err != nil {
			return nil, err
		}
	}
	return reckoning.New(rules.All())
}

// readForeign reads the three files. It prints each of their faults.
func readForeign(cmd *cobra.Command, where string) (*foreign.Set, error) {
	if _, err := os.Stat(where); err != nil {
		return nil, usageError{err}
	}
	source, err := foreign.Open(where)
	var set *foreign.Set
	if err == nil {
		set, err = foreign.Read(cmd.Context(), source)
		err = errors.Join(err, source.Close())
	}
	if faults, is := errors.AsType[*foreign.Faults](err); is {
		fmt.Fprintln(os.Stderr, faults)
		return nil, errBadFiles
	}
	return set, err
}
