// Package schema is the XML Schema of the interface's requests and answers (rule E9). It does not know the program's
// types. Tests prove that they agree: they validate every answer that they get.
package schema

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

// Each file is a schema of its own kind of resource. answers.xsd and requests.xsd hold the roots; the
// others the types, which refer to each other.
//
//go:embed *.xsd
var files embed.FS

var (
	answers  = sync.OnceValue(func() string { return compose("answers.xsd") })
	requests = sync.OnceValue(func() string { return compose("requests.xsd") })
)

// Answers returns the schema whose global elements are the roots of answers.
func Answers() []byte { return []byte(answers()) }

// Requests returns the schema whose global elements are the roots of requests. Its types are those of Answers.
func Requests() []byte { return []byte(requests()) }

const (
	head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n"
	foot = "</xs:schema>\n"
)

// compose joins the roots and all types into one schema.
func compose(roots string) string {
	names, err := fs.Glob(files, "*.xsd")
	if err != nil {
		panic(err) // the pattern is constant
	}
	var all strings.Builder
	all.WriteString(head + content(roots))
	for _, name := range names {
		if name != "answers.xsd" && name != "requests.xsd" {
			all.WriteString(content(name))
		}
	}
	return all.String() + foot
}

// content returns the text between the first and the last tag of a file.
func content(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // the files are embedded, and tests load them
	}
	inside, begins := strings.CutPrefix(string(text), head)
	inside, ends := strings.CutSuffix(inside, foot)
	if !begins || !ends {
		panic(fmt.Sprintf("schema: %s does not begin and end as all the files do", name))
	}
	return inside
}
