package demo

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"purr/models"
)

// dayWidth is the room left of what happened on a day, in characters.
const dayWidth = 12

// The colours of a terminal.
const (
	bold  = "1"
	dim   = "2"
	red   = "31"
	green = "32"
	cyan  = "36"
)

// teller writes what happens for people to read. After a failed write it writes nothing more.
type teller struct {
	w     io.Writer
	color bool
	width int
	err   error

	day    string // the day that is told of
	marked bool   // it stands before a line already
}

func (t *teller) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// paint puts a text in a colour.
func (t *teller) paint(color, text string) string {
	if !t.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// title begins the whole.
func (t *teller) title(format string, args ...any) {
	t.printf("%s\n", t.paint(bold, fmt.Sprintf(format, args...)))
}

// chapter says in a sentence or two what comes.
func (t *teller) chapter(format string, args ...any) {
	t.marked = false
	t.printf("\n")
	for _, line := range wrap(fmt.Sprintf(format, args...), t.width) {
		t.printf("%s\n", t.paint(cyan, line))
	}
}

// line writes a line of text.
func (t *teller) line(format string, args ...any) { t.printf("  "+format+"\n", args...) }

// startDay lets the next lines be those of a day. A day without a line leaves no trace.
func (t *teller) startDay(day models.Date) { t.day, t.marked = shortDay(day), false }

// happened writes what happened on the day.
func (t *teller) happened(format string, args ...any) {
	t.printf("%s%s\n", t.mark(), fmt.Sprintf(format, args...))
}

// happenedTo writes what happened with an amount, at the right edge.
func (t *teller) happenedTo(amount models.Amount, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	room := max(0, t.width-dayWidth-utf8.RuneCountInString(text))
	t.printf("%s%s%*s\n", t.mark(), text, room, " "+kroner(amount))
}

// mark returns what stands before a line: the day, on its first.
func (t *teller) mark() string {
	day := t.day
	if t.marked {
		day = ""
	}
	t.marked = true
	return t.paint(dim, fmt.Sprintf("%-*s", dayWidth, day))
}

// proof writes whether something holds that must.
func (t *teller) proof(holds bool, text string) {
	mark := t.paint(green, "ok")
	if !holds {
		mark = t.paint(red, "NOT SO")
	}
	t.printf("  %s  %s\n", mark, text)
}

// table is lines of columns.
type table struct {
	w    *tabwriter.Writer
	last string // what ends the last column
	wide int    // of the first column, in characters
}

// texts starts a table with columns of text.
func (t *teller) texts() table { return table{w: tabwriter.NewWriter(t, 0, 0, 3, ' ', 0)} }

// figures starts a table with a column of text and the named columns of figures, which are aligned at the
// right.
func (t *teller) figures(columns ...string) table {
	figures := table{w: tabwriter.NewWriter(t, 0, 0, 2, ' ', tabwriter.AlignRight), last: "\t", wide: 44}
	figures.row("", columns...)
	return figures
}

// Write lets a tabwriter write.
func (t *teller) Write(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.w.Write(p)
	t.err = err
	return n, err
}

func (t table) row(first string, others ...string) {
	cells := append([]string{fmt.Sprintf("%-*s", t.wide, first)}, others...)
	fmt.Fprintf(t.w, "%s%s\n", strings.Join(cells, "\t"), t.last) //nolint:errcheck // flush returns it
}

func (t table) flush() error { return t.w.Flush() }

// kroner writes an amount with its thousands apart.
func kroner(a models.Amount) string {
	whole, decimals, _ := strings.Cut(a.String(), ".")
	whole, negative := strings.CutPrefix(whole, "-")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if negative {
		whole = "-" + whole
	}
	return whole + "." + decimals
}

func shortDay(d models.Date) string { return d.Time().Format("Mon _2 Jan") }

func longDay(d models.Date) string { return d.Time().Format("Mon 2 Jan 2006") }

// wrap breaks a text into lines.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
