package pdf

import (
	"crypto/sha256"
	"fmt"
	"os"
	"testing"
)

func TestZZHash(t *testing.T) {
	out := os.Getenv("ZZ")
	var b []byte
	for _, s := range samples {
		for _, l := range s.languages {
			f, err := s.draw(l)
			if err != nil {
				t.Fatal(err)
			}
			b = fmt.Appendf(b, "%s %x\n", s.name+l, sha256.Sum256(f))
		}
	}
	if out != "" {
		os.WriteFile(out, b, 0o644)
	}
}
