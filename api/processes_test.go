package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"purr/api"
	"purr/ocr"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/validate"
)

// TestO9EveryPostIsDoneOnceInTwoProcesses plays the scripts that show the POST routes. Each POST that is answered well
// goes with an Idempotency-Key to two servers at once, and then again to each. All answers of the script are as always,
// those of later requests too, so nothing was done twice.
func TestO9EveryPostIsDoneOnceInTwoProcesses(t *testing.T) {
	t.Parallel()
	missing := map[string]bool{}
	for _, route := range api.Routes(api.Config{TestClock: brokenClock{}}) {
		if strings.HasPrefix(route, "POST ") {
			missing[strings.TrimSuffix(route, "/")] = true
		}
	}
	for _, s := range readScripts(t) {
		if s.onMySQLAlone() || !s.adds(missing) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
				s.twins = true
				if got, want := s.play(t, databaseURL).String(), s.String(); got != want {
					t.Errorf("%s differs: %s", s.name, firstDifference(got, want))
				}
			})
		})
	}
	for route := range missing {
		t.Errorf("no script shows %s answered well", route)
	}
}

// adds reports whether the script shows one of the routes, and removes what it shows.
func (s script) adds(missing map[string]bool) (adds bool) {
	for _, x := range s.exchanges {
		path, _, _ := strings.Cut(x.path, "?")
		route := x.method + " " + idInPath.ReplaceAllString(strings.TrimSuffix(path, "/"), "/{id}$1")
		if x.answeredWell() && len(x.asked("Idempotency-Key")) == 0 && missing[route] {
			delete(missing, route)
			adds = true
		}
	}
	return adds
}

func (x exchange) answeredWell() bool { return strings.HasPrefix(x.answer, answerBegins+"2") }

// twin starts a second server on the installation's database and archive, as another process would be.
func (in *installation) twin(t *testing.T, databaseURL string, like api.Config) *httptest.Server {
	t.Helper()
	db, err := store.Open(databaseURL, in.clock)
	must(t, err)
	like.DB, like.Importer = db, ocr.NewImporter(db, in.archive, discard())
	second := api.New(like)
	other := httptest.NewServer(second)
	t.Cleanup(func() {
		other.Close()
		must(t, second.Close())
		must(t, db.Close())
	})
	return other
}

// sendToBoth sends a POST with an Idempotency-Key to both servers at once and again to each, and returns the answer.
func (st *stage) sendToBoth(x exchange) reply {
	st.t.Helper()
	st.posts++
	x.header = append(x.header[:len(x.header):len(x.header)], [2]string{"Idempotency-Key", fmt.Sprintf("twin %d", st.posts)})
	there := func(method, path, body string, options ...option) reply {
		return st.send(method, st.other.URL+path, body, options...)
	}
	var answers [4]reply
	var asking sync.WaitGroup
	asking.Go(func() { answers[0] = st.request(x, st.send) })
	asking.Go(func() { answers[1] = st.request(x, there) })
	asking.Wait()
	answers[2], answers[3] = st.request(x, st.send), st.request(x, there)
	last := answers[3]
	for i, r := range answers {
		if i < 2 && r.status == http.StatusConflict && last.status != http.StatusConflict {
			if codes := validate.Codes(r.body); !slices.Equal(codes, []string{"idempotency_in_progress"}) { // in the form of the script
				st.t.Errorf("%s %s: answer %d is refused with %q", x.method, x.path, i+1, codes)
			}
			continue
		}
		if r.status != last.status || r.body != last.body || r.header.Get("Location") != last.header.Get("Location") {
			st.t.Errorf("%s %s: answer %d is %d %s, the last is %d %s", x.method, x.path, i+1, r.status, r.body, last.status, last.body)
		}
	}
	return last
}

// TestO9WorkOfAKilledProcessIsTakenOver has a process reserve the key of a payment file, and end before it has answered:
// before the file is recorded, and after it is imported. The repeated request is refused while the lease runs. Then it
// gets the outcome, and there is one file.
func TestO9WorkOfAKilledProcessIsTakenOver(t *testing.T) {
	t.Parallel()
	for _, came := range []bool{false, true} {
		t.Run(fmt.Sprintf("imported %t", came), func(t *testing.T) {
			t.Parallel()
			eachDatabase(t, func(t *testing.T, in *installation) {
				in.admin().send("PUT", "/api/v1/creditor", `<creditor><bank_account>86011117947</bank_account></creditor>`).is(t, http.StatusOK)
				file := in.bankFile("86011117947", "0000000018")
				post := func(body string) reply {
					return in.send("POST", "/api/v1/payment_files", body, header("Content-Type", "text/plain"), header("Idempotency-Key", "k"))
				}
				var held store.Answer
				in.write(func(ctx context.Context, tx *store.Tx) error {
					held = store.Answer{CreditorID: in.creditor.ID, IdempotencyKey: "k", RequestHash: api.RequestHash("POST", "/api/v1/payment_files", file)}
					fresh, err := tx.LeaseKey(ctx, &held)
					if err == nil && !fresh {
						t.Error("the key is not fresh")
					}
					return err
				})
				if came {
					_, err := in.importer.Import(t.Context(), strings.NewReader(file), ocr.Source{OwnerID: in.creditor.ID, Kind: ocr.FromAPI, Arrival: held.Work})
					must(t, err)
				}
				post(file).refused(t, http.StatusConflict, "idempotency_in_progress")
				in.write(func(ctx context.Context, tx *store.Tx) error { return tx.EndLease(ctx, held) }) // as if it had run out
				post(file+"\n").refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
				first := post(file)
				first.is(t, http.StatusCreated)
				if again := post(file); again.status != first.status || again.body != first.body || again.header.Get("Location") != first.header.Get("Location") {
					t.Errorf("the second answer is %d %s", again.status, again.body)
				}
				if files := in.get("/api/v1/payment_files").xml(t).find("payment_file"); len(files) != 1 {
					t.Errorf("there are %d payment files", len(files))
				}
			})
		})
	}
}
