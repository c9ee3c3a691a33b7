//go:build whole

package stories_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"purr/models"
	"purr/store"
	"purr/test/testkit/house"
	"purr/test/testkit/twoforms"
)

// installation is the whole program, and the creditors of its stories.
type installation struct {
	*house.Installation
	creditors []*client
	inJSON    bool // what the creditors send they send in JSON

	sentInJSON atomic.Int64 // how many requests
}

// start starts an installation at a time.
func start(t *testing.T, at string, change house.Change) *installation {
	t.Helper()
	return &installation{Installation: house.Start(t, moment(at), change)}
}

// restart stops the program, as a signal to terminate does, and starts it again at a time.
func (in *installation) restart(t testing.TB, at string) {
	t.Helper()
	must(t, in.Stop())
	in.Config.TestClock = moment(at)
	must(t, in.Run())
}

// goesOn moves the clock, and returns when everything that fell due on the way is done (rule E8).
func (in *installation) goesOn(t testing.TB, to string) {
	t.Helper()
	in.creditors[0].On(t).MoveClock(moment(to))
}

// own makes an account one that the creditor had before, without an event: so its key may set it (rule D101).
func (in *installation) own(t testing.TB, id, account string) {
	t.Helper()
	must(t, in.App.DB.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		c, err := in.App.Creditor(t.Context(), id)
		must(t, err)
		before := c.BankAccount
		for _, c.BankAccount = range []string{account, before} {
			must(t, tx.UpdateCreditor(t.Context(), &c))
		}
		return nil
	}))
}

// newCreditor makes a creditor with a dunning policy, and returns a client of it who may do everything.
func (in *installation) newCreditor(t testing.TB, policy string) *client {
	t.Helper()
	id := in.NewCreditor(t, "")
	key, err := in.App.CreateKey(t.Context(), id, models.ScopeAdmin, "storyteller") // journals name it
	must(t, err)
	c := &client{Client: in.ClientWithKey(t, key), in: in, id: id, account: accounts[len(in.creditors)]}
	if in.inJSON {
		c.HTTP = &http.Client{Transport: twoforms.Transport{RoundTripper: c.HTTP.Transport, Sent: &in.sentInJSON}, Timeout: c.HTTP.Timeout}
	}
	in.creditors = append(in.creditors, c)
	in.own(t, id, c.account)
	c.change(t, "/creditor", tag("creditor", tag("bank_account", c.account), policyOf(policy)))
	return c
}

// accounts are the creditors' at the bank.
var accounts = []string{"15030000010", "15030000029", "15030000037", "15030000045", "15030000053", "15030000061", "15030000088", "15030000096", "15030000118", "15030000126"}

// mustNotComplain fails the test if the program has logged an error: a run that failed, or books that do not add up.
func (in *installation) mustNotComplain(t testing.TB) {
	t.Helper()
	for _, line := range in.Log.Lines("level=ERROR") {
		t.Errorf("the log has: %s", line)
	}
}
