package schema

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Texts say what the text of an element or attribute may be, beside nothing.
type Texts uint8

// What a text may be. Those of JSON follow: true and false for a flag, a number for a whole one, and a string for all else.
const (
	Words   Texts = 1 << iota // any text: names, dates, codes
	Decimal                   // a number with decimals: amounts, prices, percents
	Whole                     // a whole number
	Flag                      // 1 or 0
)

// Type is the type of an element or an attribute. It has a text, or fields, or attributes beside a text.
type Type struct {
	Name   string // empty for one that stands where it is used
	Doc    string
	Texts  Texts   // zero if it has no text
	Facets Facets  // of its text
	Union  []*Type // of which its text is one
	Blank  bool    // its text may be nothing
	Fields []*Field

	mu      sync.Mutex           // of members
	members map[string][]*Member // by the name of an element of the type
}

// Facets narrow a text.
type Facets struct {
	Format           string // of JSON Schema: date, date-time, uri
	Enum             []string
	Patterns         []string // any one of them matches the whole text
	MinLength        int
	MaxLength        int // 0 for any
	Minimum, Maximum string
	ExclusiveMinimum string
}

// Field is an attribute or a child element.
type Field struct {
	Name      string
	Type      *Type
	Doc       string
	Attribute bool
	Optional  bool
	Many      bool
	Fixed     string // the one value that it has
}

// Field returns the field with the name, nil if there is none.
func (t *Type) Field(name string) *Field {
	if t != nil {
		for _, f := range t.Fields {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}

// Items returns the only element that an element of the type holds, if it may hold several or is named as a list of them: lines hold
// line. JSON writes such an element as an array.
func (t *Type) Items(name string) *Field {
	var only *Field
	for _, f := range t.Fields {
		if f.Attribute {
			continue
		}
		if only != nil {
			return nil
		}
		only = f
	}
	if only == nil || !only.Many && !isPlural(name, only.Name) {
		return nil
	}
	return only
}

// isPlural reports whether a name is the plural of another.
func isPlural(name, of string) bool {
	return name == of+"s" || strings.TrimSuffix(name, "ies") == strings.TrimSuffix(of, "y")
}

// HasAttributes reports whether an element of the type may have attributes.
func (t *Type) HasAttributes() bool {
	return slices.ContainsFunc(t.Fields, func(f *Field) bool { return f.Attribute })
}

// IsLeaf reports whether an element of the type holds a text.
func (t *Type) IsLeaf() bool { return t.Texts != 0 || t.Blank }

var (
	answerRoots  = sync.OnceValue(func() map[string]*Field { return rootsOf(Answers()) })
	requestRoots = sync.OnceValue(func() map[string]*Field { return rootsOf(Requests()) })
)

// Answer returns the root element of an answer, nil if there is none of the name.
func Answer(name string) *Field { return answerRoots()[name] }

// Request returns the root element of a request, nil if there is none of the name.
func Request(name string) *Field { return requestRoots()[name] }

func rootsOf(document []byte) map[string]*Field {
	roots, err := read(document)
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // the files are embedded, and tests load them
	}
	return roots
}
