package main

import (
	"embed"
	"strings"

	"github.com/spf13/cobra"

	"purr/models"
	"purr/ocr/bankfile"
)

// helpPages holds what --help says of each command besides its flags: help/dunning/plan.txt is of purr dunning plan.
//
//go:embed help
var helpPages embed.FS

// ruleKindsHelp describes the kinds of figures.
const ruleKindsHelp = `The kinds: late_interest (percent a year, from each 1 January and 1 July), inkassosats (kroner, of which
a fee is a fraction), compensation (kroner, from each 1 January and 1 July), fee_fraction, fee_rounding,
act (1988 or 2026, the act on debt collection that is in force), fee_2026 (kroner, under the act of 2026).`

// helpLists are the lists that pages name in braces.
var helpLists = strings.NewReplacer(
	"{kinds of figures}", ruleKindsHelp,
	"{reported states}", words(models.ReportedStates),
	"{columns}", strings.Join(bankfile.Columns(), ","),
)

// explain gives a command, and all below it, the texts of their pages.
func explain(c *cobra.Command) {
	if page, err := helpPages.ReadFile(helpPage(c)); err == nil { // a group has none
		long, example, _ := strings.Cut("\n"+helpLists.Replace(string(page)), "\nExamples:\n")
		c.Long, c.Example = strings.TrimSpace(long), strings.TrimRight(example, "\n")
	}
	for _, sub := range c.Commands() {
		explain(sub)
	}
}

func helpPage(c *cobra.Command) string {
	return "help/" + strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), "purr "), " ", "/") + ".txt"
}
