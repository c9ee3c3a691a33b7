// Package validate holds what clients send and get in tests against the interface's XML Schema (rule E9),
// with libxml2's xmllint, and against its OpenAPI document (rule J3). It knows nothing of what they say.
//
// A test gives its HTTP client the transport, and need do no more:
//
//	client := &http.Client{Transport: validate.Transport(t, http.DefaultTransport)}
//
// When the test is over, its subtests included, every XML answer that came in, and the body of every
// request that was accepted, must be of the schema, and all of the document. The test fails with the requests for which that is not so.
package validate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"purr/test/testkit"
)

const missing = "these tests need xmllint; test/scripts/install-test-servers installs it (Debian, Ubuntu: libxml2-utils; elsewhere: libxml2)"

// Faults returns the faults that xmllint finds in each document by the schema, nothing for a valid one. The test fails
// if xmllint is missing or rejects the schema.
func Faults(t testing.TB, schema []byte, documents []string) []string {
	t.Helper()
	mustHaveXmllint(t)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience) // the test's own is over in a cleanup
	defer cancel()
	faults, err := lint(ctx, schema, documents)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

func mustHaveXmllint(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Fatalf("%v: %s", err, missing)
	}
}

// lint runs one xmllint on all documents, as files of a folder.
func lint(ctx context.Context, schema []byte, documents []string) ([]string, error) {
	folder, err := os.MkdirTemp("", "purr-validate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system clears its temporary folder
	if err := os.WriteFile(filepath.Join(folder, "schema.xsd"), schema, 0o600); err != nil {
		return nil, err
	}
	args := []string{"--noout", "--nonet", "--schema", "schema.xsd"}
	for i, document := range documents {
		name := fmt.Sprintf("%d.xml", i)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(document), 0o600); err != nil {
			return nil, err
		}
		args = append(args, name)
	}
	xmllint := exec.CommandContext(ctx, "xmllint", args...)
	xmllint.Dir = folder
	said, err := xmllint.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("run xmllint: %w", err)
	}
	faults, found := sortOut(string(said), len(documents))
	if found == xmllint.ProcessState.Success() {
		return nil, fmt.Errorf("xmllint (%s) says\n%s", xmllint.ProcessState, said)
	}
	return faults, nil
}

// aboutDocument is a line of what xmllint finds wrong with a document, by the document's number.
var aboutDocument = regexp.MustCompile(`(?m)^(\d+)\.xml:(\d+: .*)$`)

// sortOut returns xmllint's messages on each invalid document, and reports whether there are any.
func sortOut(said string, documents int) (faults []string, found bool) {
	faults = make([]string, documents)
	for _, about := range aboutDocument.FindAllStringSubmatch(said, -1) {
		if i, err := strconv.Atoi(about[1]); err == nil && i < documents {
			faults[i] += "line " + about[2] + "\n"
			found = true
		}
	}
	return faults, found
}
