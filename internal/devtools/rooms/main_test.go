package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRooms draws a small house with a room that imports one above it.
func TestRooms(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"go.mod": "module house\n\ngo 1.26\n",
		"ARCHITECTURE.md": "# A\n\n## The tree\n\n| package | what | may import |\n|---|---|---|\n" +
			"| **models** | words | |\n| store | rows | models |\n| store/list | pages | models |\n| api | HTTP | store |\n\n## Next\n\n| other | x | |\n",
		"models/amount.go":              "package models\n\nimport _ \"house/store\"\n\n// Amount is money.\ntype Amount int64\n",
		"store/store.go":                "package store\n\nimport _ \"house/models\"\n\ntype DB struct{}\n\nfunc (db *DB) Close() {\n}\n\nfunc open() {\n\topen()\n}\n",
		"store/store_test.go":           "package store\n\nimport _ \"house/api\"\n",
		"store/list/list.go":            "package list\n\nimport _ \"house/store\"\n",
		"api/api.go":                    "package api\n\nimport (\n\t_ \"fmt\"\n\t_ \"house/store/list\"\n)\n",
		"test/testkit/testkit.go":       "package testkit\n\nimport _ \"house/api\"\n",
		"api/testdata/fixture.go":       "not Go",
		"architecture_of_house_test.go": "package house\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := run(root, &out); err != nil {
		t.Fatal(err)
	}
	const want = `room    packages  files  lines  imports
models  1         1      6      store
store   2         2      15     models
api     1         1      6      store

3 rooms, 3 arrows, 1 of them up
  models imports store
  models and store import each other

lines of   median  p95  longest
functions  2       2    3 store/store.go open
files      6       6    12 store/store.go
1 of 3 exported things are documented
  store/store.go DB is not
  store/store.go Close is not
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}
