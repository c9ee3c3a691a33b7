package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit"
)

// leave lets the browser's session run out.
func (b *browser) leave() { b.clock.Set(b.clock.Now().Add(9 * time.Hour)) }

// carried sends a form without a session, and returns the sign-in that carries it.
func (b *browser) carried(f form) form {
	b.t.Helper()
	page := b.send(f).is(http.StatusUnauthorized).tells("Sign in to purr", "Nothing was done", "you find what you typed")
	for i := 0; i+1 < len(f.fields); i += 2 {
		if typed := f.fields[i+1]; len(typed) > 8 && strings.Contains(page.body, typed) {
			b.t.Errorf("what was typed can be read on the sign-in: %q", typed)
		}
	}
	return page.form("", "/sign-in")
}

// returns signs in with what the sign-in carries.
func (b *browser) returns(signIn form, key string) *shown {
	b.t.Helper()
	return b.send(signIn.typing("key", key)).is(http.StatusSeeOther)
}

// TestD116AFormOutlivesTheSignIn fills in a form while the session ends. After the sign-in what was typed is there, and is done by a
// press, once.
func TestD116AFormOutlivesTheSignIn(t *testing.T) {
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		b := openOn(t, databaseURL, models.ScopeWrite, nil)
		i := b.owing(14)
		page := fmt.Sprintf("invoices/%d/hold", i.Number)
		at := b.base + "/" + page
		f := b.formAt(page).typing("comment", `ringer <b>"tirsdag"</b> & betaler`, "until", "01.05.2026", "disputed", "1")
		b.leave()
		signIn := b.carried(f)
		wrong := b.send(signIn.typing("key", "wrong")).is(http.StatusUnauthorized).tells("not known", "Nothing was done")
		signIn = wrong.form("", "/sign-in")
		if to := b.returns(signIn, b.key).location; to != at {
			t.Fatalf("it leads to %s, want %s", to, at)
		}
		for range 2 { // loaded anew
			back := b.get(page).is(http.StatusOK).tells("Nothing was done. What you typed is still here")
			f = back.form(at, at)
			for _, typed := range []string{`ringer <b>"tirsdag"</b> & betaler`, "2026-05-01", "1"} {
				if !strings.Contains(strings.Join(f.fields, "\n"), typed) {
					t.Errorf("%q is gone: %q", typed, f.fields)
				}
			}
		}
		if b.now(i).Hold.Held {
			t.Fatal("it was done without a press")
		}
		done := b.send(f).leads(b.base + "/invoices/1")
		b.send(f).leads(done.location)
		want := models.Hold{Held: true, Until: b.now(i).Hold.Until, Reason: models.HoldDispute, Comment: `ringer <b>"tirsdag"</b> & betaler`}
		if got := b.now(i).Hold; got != want || got.Until.String() != "2026-05-01" {
			t.Errorf("the hold is %+v", got)
		}
		b.get(done.location).tells("Put invoice 1 on hold.")
		if strings.Contains(b.get(page).is(http.StatusOK).text(), "What you typed is still here") {
			t.Error("a form that was sent waits still")
		}
	})
}

// TestD116WhoElseComesFindsNothing has the form of one person come to others, to hostile hands, and to a page that has none.
func TestD116WhoElseComesFindsNothing(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	ours := b.key
	other, elsewhere := b.newKey(b.creditor, models.ScopeAdmin), b.newKey(b.newCreditor("Fjord Rør AS"), models.ScopeWrite)
	i := b.owing(14)
	page := fmt.Sprintf("invoices/%d/hold", i.Number)
	typed := func() form {
		b.signIn(ours)
		f := b.formAt(page).typing("comment", "ringer på tirsdag")
		b.leave()
		return f
	}
	absent := func(s *shown) {
		t.Helper()
		if strings.Contains(s.body, "tirsdag") {
			t.Errorf("somebody else reads what was typed:\n%s", s.text())
		}
		if b.now(i).Hold.Held {
			t.Error("it is done")
		}
	}

	b.returns(b.carried(typed()), other) // of the same creditor, but another person
	absent(b.get(b.base+"/today").tells("filled in by somebody else than you", "Nothing was done"))
	absent(b.get(page))

	b.returns(b.carried(typed()), elsewhere)
	absent(b.get("/c/2/today").tells("was of another creditor", "Nothing was done"))

	f := typed() // somebody else has signed in in another tab
	b.signIn(other)
	absent(b.send(f).is(http.StatusConflict).tells("Somebody else than you has opened this form"))

	signIn := b.carried(typed())
	kept := signIn.fields[1]
	for _, forged := range []string{"", "x", kept[:len(kept)-2] + "AA", strings.Repeat("A", 9000)} {
		b.send(form{"/sign-in", []string{"kept", forged, "key", ours}}).leads(b.base + "/today")
		absent(b.get(page))
		b.post("/sign-out")
	}
	b.clock.Set(b.clock.Now().Add(13 * time.Hour)) // that was too long ago
	b.returns(signIn, ours)
	absent(b.get(page))

	hostile := typed().typing("back", "https://evil.example/", "kept", kept, "key", "purr_SECRET", "comment", strings.Repeat("lang ", 99), "__proto__", "x")
	hostile.fields = append(hostile.fields, "once", "again", "comment", "twice")
	refused := b.send(hostile).is(http.StatusUnauthorized).tells("Files, secrets and very long texts are not kept")
	for _, cookie := range refused.header.Values("Set-Cookie") {
		if strings.Contains(cookie, "lang") {
			t.Errorf("a cookie holds what was typed: %s", cookie)
		}
	}
	b.returns(refused.form("", "/sign-in"), ours)
	again := b.get(page).is(http.StatusOK).tells("without secrets")
	if strings.Contains(again.body, "purr_SECRET") || strings.Contains(again.body, "evil") {
		t.Errorf("a secret, or a way out, is on the page:\n%s", again.body)
	}
	b.signIn(ours)
	b.get(page) // a new sign-in without it

	long := typed().typing("comment", strings.Repeat("lang ", 20_000))
	refused = b.send(long).is(http.StatusUnauthorized).tells("very long texts are not kept")
	b.returns(refused.form("", "/sign-in"), ours)
	absent(b.get(b.base + "/today"))
}

// TestD116WhatWasSentIsNotSentTwice sends a form whose name was used already, and forms that have no page of their own.
func TestD116WhatWasSentIsNotSentTwice(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	i := b.owing(14)
	path := fmt.Sprintf("invoices/%d", i.Number)
	pay := b.formAt(path+"/pay").typing("amount", "100")
	b.send(pay).is(http.StatusSeeOther)
	b.leave()
	b.returns(b.carried(pay), b.key)
	b.send(b.get(path+"/pay").form(b.base+"/"+path+"/pay", b.base+"/"+path+"/pay")).leads(b.base + "/" + path)
	b.owes(i, 900_00)

	b.send(b.formAt(path + "/hold")).is(http.StatusSeeOther)
	release := b.formAt(path, path+"/hold/release")
	b.leave()
	to := b.returns(b.carried(release), b.key).location
	b.get(to).is(http.StatusOK).tells("Nothing was done", "On hold")
	if !b.now(i).Hold.Held {
		t.Error("it was released without a press")
	}

	b.leave()
	b.do(http.MethodPost, b.base+"/bank/files", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nNY\r\n--x--\r\n",
		"Content-Type", "multipart/form-data; boundary=x", "Accept", "text/html", "Referer", b.http.URL+b.base+"/bank/files").leads("/sign-in?unsent=1")
	b.get("/sign-in?unsent=1").tells("Nothing was done", "A file must be chosen again")
	b.post("/sign-in", "key", b.key).leads(b.base + "/bank/files")

	b.leave()
	for _, page := range []string{"/today", "/invoices?status=overdue"} { // what never had a form leads where it was asked for
		b.get(b.base+page, "Accept", "text/html").leads("/sign-in")
		b.post("/sign-in", "key", b.key).leads(b.base + page)
		b.leave()
	}
	sealed := regexp.MustCompile(`name="kept" value="([^"]+)"`).FindStringSubmatch(b.send(pay).is(http.StatusUnauthorized).body)
	if sealed == nil || strings.Contains(sealed[1], url.QueryEscape("amount")) {
		t.Errorf("the form is carried as %q", sealed)
	}
}
