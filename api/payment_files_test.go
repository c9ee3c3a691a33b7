package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr"
)

// TestD2RawFileOfSeveralCreditors holds that a creditor gets the bytes of a file only where all of it is the
// creditor's own.
func TestD2RawFileOfSeveralCreditors(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, in *installation) {
		kari, ola := in.admin(), in.another("Ola").admin()
		accounts := []string{"86011117947", "98765432103"}
		for i, c := range []*installation{kari, ola} {
			c.account(accounts[i])
		}
		// Their transmissions have one number, and different accounts.
		karis, olas := in.bankFile(accounts[0], "0000000018"), in.bankFile(accounts[1], "0000000018")
		nobodys := in.bankFile("12345678903", "0000000018")
		bring := func(file string) string {
			t.Helper()
			f, err := in.importer.Import(t.Context(), strings.NewReader(file), ocr.Source{Kind: ocr.FromInbox})
			must(t, err)
			if f.State != models.FileImported {
				t.Fatalf("the file is %s: %v", f.State, f.Faults)
			}
			return fmt.Sprintf("/api/v1/payment_file/%d", f.ID)
		}
		for _, tt := range []struct {
			name, file string
			karis      bool
			seen       bool // by Kari, without its bytes
		}{
			{"all of it", karis, true, true},
			{"with another's part", strings.Replace(karis, "0000017", "0000018", 1) + strings.Replace(olas, "0000017", "0000018", 1), false, true},
			{"with a part of nobody's", strings.Replace(karis, "0000017", "0000019", 1) + strings.Replace(nobodys, "0000017", "0000019", 1), false, true},
			{"another's", strings.Replace(olas, "0000017", "0000020", 1), false, false},
		} {
			t.Run(tt.name, func(t *testing.T) {
				uri := bring(tt.file)
				r := kari.get(uri + "/raw")
				if tt.karis {
					r.is(t, http.StatusOK)
					if r.body != tt.file {
						t.Errorf("of %q came %q", tt.file, r.body)
					}
				} else {
					r.refused(t, http.StatusNotFound, "not_found")
				}
				if status := kari.get(uri).status; (status == http.StatusOK) != tt.seen {
					t.Errorf("the file itself is answered %d", status)
				}
			})
		}
	})
}
