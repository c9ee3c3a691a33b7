package locale

import (
	"regexp"
	"strings"
)

// programComments are the comments that the program itself writes on entries, each with the key of its words (rule N13). Package models and ledger
// write them.
var programComments = []struct {
	written *regexp.Regexp
	key     string
	names   []string // of the parts
}{
	{regexp.MustCompile(`^adopted$`), "comment.adopted", nil},
	{regexp.MustCompile(`^moved to invoice (\d+)$`), "comment.moved", []string{"number"}},
	{regexp.MustCompile(`^moved from invoice (\d+)$`), "comment.moved_from", []string{"number"}},
	{regexp.MustCompile(`^moved from credit note (\d+)$`), "comment.moved_from_note", []string{"number"}},
	{regexp.MustCompile(`^repayment (\d+), file (\d+)$`), "comment.repayment", []string{"number", "file"}},
	{regexp.MustCompile(`^debt collector(?: (.*))?$`), "comment.collector", []string{"reference"}},
}

// Comment returns the comment of an entry as a reader understands it: what the program wrote, in the reader's words, and what a person wrote, as it is.
func (w *Words) Comment(stored string) string {
	for _, c := range programComments {
		found := c.written.FindStringSubmatch(stored)
		if found == nil {
			continue
		}
		var parts []any
		for i, name := range c.names {
			parts = append(parts, name, found[i+1])
		}
		return strings.TrimSpace(w.Say(c.key, parts...)) // the collector may have given no reference
	}
	return stored
}
