package giro

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestInspectJSON_R5(t *testing.T) {
	for name, file := range map[string]string{
		"ocr-basic":         sample(t, "ocr-basic.txt"),
		"ocr-edge":          sample(t, "ocr-edge.txt"),
		"two-transmissions": written(payment(100)) + edited(written(payment(200)), set(1, 8, "00001234000012500099999")),
	} {
		t.Run(name, func(t *testing.T) {
			compact, err := json.Marshal(read(t, file))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			must(json.Indent(&out, compact, "", "  "))
			golden(t, "testdata/"+name+".json", out.String()+"\n")
		})
	}
}
