package demo

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"purr/models"
)

// dayWidth is the room at the left for the day, in characters.
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
	width int // of a line, in characters
	err   error

	day    string // the current day
	marked bool   // the day stands before a line already
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
func (t *teller) chapter(text string) {
	t.marked = false
	t.printf("\n")
	for line := range strings.SplitSeq(text, "\n") {
		t.printf("%s\n", t.paint(cyan, line))
	}
}

// line writes a line of text.
func (t *teller) line(format string, args ...any) { t.printf("  "+format+"\n", args...) }

// startDay makes the next lines those of a day. A day without a line leaves no trace.
func (t *teller) startDay(day models.Date) {
	t.day, t.marked = day.Time().Format("Mon _2 Jan"), false
}

// happened writes what happened on the day.
func (t *teller) happened(format string, args ...any) {
	day := t.day
	if t.marked {
		day = ""
	}
	t.marked = true
	t.printf("%s%s\n", t.paint(dim, fmt.Sprintf("%-*s", dayWidth, day)), fmt.Sprintf(format, args...))
}

// happenedTo writes what happened with an amount, at the right edge.
func (t *teller) happenedTo(amount models.Amount, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	room := max(0, t.width-dayWidth-utf8.RuneCountInString(text))
	t.happened("%s%*s", text, room, " "+kroner(amount))
}

// row writes a line of the closing table.
func (t *teller) row(name, number, amount, owed string) {
	t.line("%-44s%8s%12s%12s", name, number, amount, owed)
}

// proof writes whether something holds that must.
func (t *teller) proof(holds bool, text string) {
	mark := t.paint(green, "ok")
	if !holds {
		mark = t.paint(red, "NOT SO")
	}
	t.printf("  %s  %s\n", mark, text)
}

// kroner writes an amount with its thousands apart.
func kroner(a models.Amount) string { return models.GroupDigits(a.String(), " ", ".") }

func longDay(d models.Date) string { return d.Time().Format("Mon 2 Jan 2006") }
