package bankfile

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"purr/models"
	"purr/ocr/giro"
)

// Fault is a way to damage a file so that Lint reports its code and no other.
type Fault struct {
	Name     string
	Code     string
	Warning  bool   // the importer still accepts the file
	Sentence string // describes the change to the file
	start    func(date models.Date) damage
}

// damage gets each line of a file, line end included, until it is done. It returns the text that replaces the line.
type damage func(line []byte) (becomes []byte, done bool)

// Faults returns the faults that Generate can put into a file of the format.
func Faults(format string) []Fault {
	if format == giro.Format {
		return giroFaults()
	}
	return camtFaults()
}

func findFault(name, format string) (Fault, error) {
	all := Faults(format)
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, fmt.Errorf("there is no fault %q of %s files; --list-faults shows all", name, format)
	}
	return all[i], nil
}

// damaging is a writer that damages the file. It holds one line back.
type damaging struct {
	w     io.Writer
	fault Fault
	do    damage
	done  bool
	line  []byte
}

func newDamaging(w io.Writer, f Fault, date models.Date) *damaging {
	return &damaging{w: w, fault: f, do: f.start(date)}
}

// Write passes complete lines on.
func (d *damaging) Write(p []byte) (int, error) {
	d.line = append(d.line, p...)
	for {
		end := bytes.IndexByte(d.line, '\n') + 1
		if end == 0 {
			return len(p), nil
		}
		if d.done {
			end = len(d.line)
		}
		if err := d.put(d.line[:end]); err != nil {
			return 0, err
		}
		d.line = append(d.line[:0], d.line[end:]...)
	}
}

func (d *damaging) put(text []byte) error {
	if !d.done {
		text, d.done = d.do(bytes.Clone(text))
	}
	_, err := d.w.Write(text)
	return err
}

// Close writes the last line. It fails if the fault did not fit into the file.
func (d *damaging) Close() error {
	if err := d.put(d.line); err != nil {
		return err
	}
	if !d.done && d.fault.Code != giro.CodeEmptyFile {
		return fmt.Errorf("the fault %s does not fit into this file: %s. Give it more transactions, or a shorter KID", d.fault.Name, d.fault.Sentence)
	}
	return nil
}

// newFault returns a fault that does not depend on the date.
func newFault(name, code, sentence string, start func() damage) Fault {
	return Fault{Name: name, Code: code, Sentence: sentence, start: func(models.Date) damage { return start() }}
}

// asWarning makes a warning of a fault.
func asWarning(f Fault) Fault {
	f.Warning = true
	return f
}

// emptyFile drops all lines.
func emptyFile() damage { return func([]byte) ([]byte, bool) { return nil, false } }

// otherDigit returns another digit, or a digit for any other character.
func otherDigit(c byte) byte {
	if c == '9' || c < '0' || c > '9' {
		return '0'
	}
	return c + 1
}

// invalidKID returns a KID with a check digit of neither modulus.
func invalidKID(kid string) string {
	for c := byte('0'); ; c++ {
		wrong := kid[:len(kid)-1] + string(c)
		if !models.ValidKID(wrong, models.Modulus10) && !models.ValidKID(wrong, models.Modulus11) && strings.Trim(wrong, "0") != "" {
			return wrong
		}
	}
}
