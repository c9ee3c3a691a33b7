package console

import "slices"

// link is one of the navigation.
type link struct {
	Label, Path, Icon string
	Key               string // g and this key go there
	Present           bool
	Count             int64 // what waits there
}

// areas are the links of the navigation, in their order, with their icons and keys.
var areas = []struct{ name, icon, key string }{
	{"today", "sun", "t"},
	{"bank", "landmark", "b"},
	{"invoices", "receipt", "i"},
	{"customers", "users", "c"},
	{"dunning", "bell-ring", "d"},
	{"money", "chart-column", "m"},
	{"letters", "mail", "l"},
	{"log", "history", "h"},
	{"operations", "server", "o"},
	{"settings", "settings", "s"},
}

// Links returns the links of the navigation.
func (v *view) Links() []link {
	links := make([]link, len(areas))
	for i, a := range areas {
		links[i] = link{Label: v.rq.words.say("area." + a.name), Path: v.Base + "/" + a.name, Icon: a.icon, Key: a.key, Present: a.name == v.Area}
	}
	return links
}

// keyHelp is a line of the list of keys, which ? opens.
type keyHelp struct{ Keys, Does string }

// KeyHelp returns what the single keys do.
func (v *view) KeyHelp() []keyHelp {
	help := []keyHelp{{"/", v.rq.words.say("layout.search")}}
	for _, a := range areas {
		help = append(help, keyHelp{"g " + a.key, v.rq.words.say("area." + a.name)})
	}
	for _, key := range []string{"j", "k", "m", "o", "u", "x", "n"} {
		help = append(help, keyHelp{key, v.rq.words.say("keys." + key)})
	}
	return slices.Clip(help)
}
