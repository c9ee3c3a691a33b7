package schema

import "testing"

func TestDumpShape(t *testing.T) {
	for name, f := range AnswerRoots() {
		dump(t, "A "+name, f, 0)
	}
}

func dump(t *testing.T, at string, f *Field, depth int) {
	if depth > 6 {
		return
	}
	t.Logf("%s: %s texts=%d blank=%v opt=%v many=%v attr=%v items=%v", at, f.Type.Name, f.Type.Texts, f.Type.Blank, f.Optional, f.Many, f.Attribute, f.Type.Items(f.Name) != nil)
	for _, c := range f.Type.Fields {
		dump(t, at+"/"+c.Name, c, depth+1)
	}
}
