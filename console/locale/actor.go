package locale

import (
	"regexp"
	"strings"
)

// keyActor is how an event names a person with a key, at the console or by the interface.
var keyActor = regexp.MustCompile(`^(console, )?API key (\d+) \((.*)\)$`)

// commandActor is how an event names a person at the command line.
var commandActor = regexp.MustCompile(`^command line(?: \((.*)\))?$`)

// Actor returns who did something as a reader knows them: by the name of the key (rule N13).
func (w *Words) Actor(stored string) string {
	if found := keyActor.FindStringSubmatch(stored); found != nil {
		name := found[3]
		if name == "" {
			name = w.Say("actor.key", "number", found[2])
		}
		if found[1] == "" {
			return w.Say("actor.api", "name", name)
		}
		return name
	}
	switch found := commandActor.FindStringSubmatch(stored); {
	case found == nil:
		return stored
	case found[1] == "":
		return w.Say("actor.command_line")
	default:
		return w.Say("actor.command_line_of", "name", found[1])
	}
}

// CommandLineActor returns how an event names whom Actor shows as somebody at the command line.
func (w *Words) CommandLineActor(shown string) (stored string, is bool) {
	const mark = "\x00"
	before, after, _ := strings.Cut(w.Say("actor.command_line_of", "name", mark), mark)
	name, begins := strings.CutPrefix(shown, before)
	name, ends := strings.CutSuffix(name, after)
	switch {
	case shown == w.Say("actor.command_line"):
		return "command line", true
	case begins && ends && name != "":
		return "command line (" + name + ")", true
	}
	return "", false
}
