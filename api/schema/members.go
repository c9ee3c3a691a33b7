package schema

// How elements and attributes stand in JSON (rule J1). An attribute and a child element are members by their names. What may occur
// several times is an array. An element that holds nothing but a list of what its name is the plural of, such as lines, is the array of
// them. If it has attributes too, or is the root of a list, it is an object with the array under its own name. The attributes of an
// element with a text are members beside it: bank_account, bank_account_state.

// Form is the form of a member's value.
type Form uint8

// The forms of members.
const (
	Value   Form = iota // a string, a number, true or false
	Object              // an object with the members of the element's type
	Values              // an array of values
	Objects             // an array of objects
)

// Member is a member of an object in JSON.
type Member struct {
	Name  string
	Form  Form
	Field *Field // what it shows; of an array what it holds
	Of    *Field // the element beside which it stands: Field is an attribute of that; nil for all others
	List  *Field // the element that stands for the whole array; nil if its items stand where the array does
	Own   bool   // it is the list in the object that stands for the list's element
}

// Optional reports whether an object may lack the member.
func (m *Member) Optional() bool {
	switch {
	case m.Of != nil:
		return m.Field.Optional || m.Of.Optional
	case m.Own:
		return false
	case m.List != nil:
		return m.List.Optional
	}
	return m.Field.Optional || m.Form == Value && m.Field.Type.mayVanish()
}

// mayVanish reports whether an element that is empty is absent in JSON: there is no empty number, and no empty flag.
func (t *Type) mayVanish() bool { return t.Blank && t.Texts != 0 && t.Texts&^(Whole|Flag) == 0 }

// Text is the name of the member with the text of an element that has attributes too, where it is one of several.
const Text = "text"

// Members returns the members of the object that stands for an element with the name, whose type is t.
func (t *Type) Members(name string) []*Member {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.members[name]; known != nil {
		return known
	}
	var members []*Member
	if t.IsLeaf() { // one of several
		members = append(members, &Member{Name: Text, Field: &Field{Name: "", Type: &Type{Name: t.Name, Texts: t.Texts, Facets: t.Facets, Union: t.Union, Blank: t.Blank}}})
	}
	items := t.Items(name)
	for _, f := range t.Fields {
		m := &Member{Name: f.Name, Field: f}
		switch inner := f.Type.Items(f.Name); {
		case f == items:
			m.Name, m.Own = name, true
			m.Form = several(f)
		case f.Many:
			m.Form = several(f)
		case inner != nil && !f.Type.HasAttributes():
			m.Field, m.List, m.Form = inner, f, several(inner)
		case !f.Type.IsLeaf():
			m.Form = Object
		}
		members = append(members, m)
		if m.Form == Value {
			for _, a := range f.Type.Fields {
				members = append(members, &Member{Name: f.Name + "_" + a.Name, Field: a, Of: f})
			}
		}
	}
	if t.members == nil {
		t.members = map[string][]*Member{}
	}
	t.members[name] = members
	return members
}

// several returns the form of an array of an element.
func several(f *Field) Form {
	if f.Type.IsLeaf() && len(f.Type.Fields) == 0 {
		return Values
	}
	return Objects
}

// Member returns the member with the name of the object that stands for an element, nil if there is none.
func (f *Field) Member(name string) *Member {
	if f == nil {
		return nil
	}
	for _, m := range f.Type.Members(f.Name) {
		if m.Name == name {
			return m
		}
	}
	return nil
}
