package ehf

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTmpSamples(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/samples/ehf/*.xml")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		d, err := Parse(b)
		if err != nil {
			t.Fatal(f, err)
		}
		for _, x := range d.Check() {
			t.Log(f, x)
		}
	}
}
