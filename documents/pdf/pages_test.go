package pdf

import "testing"

func TestPagesAreCounted(t *testing.T) {
	most := 0
	for _, s := range samples {
		file, err := s.draw(s.languages[0])
		if err != nil {
			t.Fatal(err)
		}
		n := Pages(file)
		if n != pages(file) {
			t.Errorf("%s has %d pages, and %d are counted", s.name, pages(file), n)
		}
		most = max(most, n)
	}
	if most < 2 {
		t.Error("no sample has two pages")
	}
	if n := Pages([]byte("%PDF-1.7 of another program")); n != 1 {
		t.Errorf("it has %d pages", n)
	}
}
