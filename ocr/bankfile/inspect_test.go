package bankfile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit"
)

func TestInspectJSON_R5(t *testing.T) {
	for _, path := range append(sampleFiles, "testdata/inspected/odd.xml", "testdata/inspected/two-transmissions.txt") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			contents, err := Read(bytes.NewReader(file), testToday)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.MarshalIndent(contents, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			testkit.Golden(t, strings.TrimSuffix(path, filepath.Ext(path))+".json", string(text)+"\n")
		})
	}
}
