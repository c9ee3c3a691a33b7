package form

import (
	"strconv"
	"strings"

	"purr/api/schema"
	"purr/models"
)

// Pointer returns the place of a fault in a request whose body is a root element, as a JSON pointer (RFC 6901).
func Pointer(root *schema.Field, place models.Place) string {
	at := shape{request: root}
	if root != nil {
		at.answer = schema.Answer(root.Name)
	}
	var b strings.Builder
	var list *schema.Member // the array in which the next step is an item
	for _, step := range place {
		if list != nil && step.Name == list.Field.Name {
			b.WriteString("/" + strconv.Itoa(max(step.Nth, 1)-1))
			list = nil
			continue
		}
		list = nil
		m, below := at.showing(step.Name)
		switch {
		case m == nil:
			b.WriteString("/" + escape(step.Name))
			below = shape{}
		case m.List != nil:
			b.WriteString("/" + escape(m.Name))
			list = m
		case m.Form >= schema.Values:
			b.WriteString("/" + escape(m.Name) + "/" + strconv.Itoa(max(step.Nth, 1)-1))
		default:
			b.WriteString("/" + escape(m.Name))
		}
		at = below
	}
	return b.String()
}

// showing returns the member that shows the child element or the attribute with the name.
func (s shape) showing(name string) (*schema.Member, shape) {
	for _, f := range []*schema.Field{s.request, s.answer} {
		if f == nil {
			continue
		}
		for _, m := range f.Type.Members(f.Name) {
			if m.List != nil && m.List.Name == name || m.List == nil && m.Of == nil && m.Field.Name == name {
				return s.member(m.Name)
			}
		}
	}
	return nil, shape{}
}

// escape writes a name as a JSON pointer has it.
func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }
