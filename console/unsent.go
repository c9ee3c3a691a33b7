package console

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/api/once"
	"purr/models"
	"purr/store"
)

// unsent is a form that came without a session, because that had ended while somebody filled the form in (rule D116). The sign-in
// form carries it, sealed: nobody reads it there, or makes one up. After the sign-in it is kept for a while under the name in a
// cookie, and its page shows what was typed. Nothing is done before a person presses its button.
type unsent struct {
	URI     string     // where the form was sent, as the browser sees it
	Back    string     // the page that the form stood on; empty if nobody knows
	Page    bool       // there is a page that shows the form
	Form    url.Values // what was typed
	LeftOut bool       // a secret or a file was typed too, or more than is kept
	At      time.Time  // when it came, in real time
}

// How much of a form is kept, and for how long: sealed, and after the sign-in.
const (
	maxUnsent    = 64 << 10
	maxSealed    = 2 * maxUnsent
	unsentSealed = 12 * time.Hour
	unsentKept   = 15 * time.Minute
)

// secretFields are those that are not kept, wherever they stand.
var secretFields = []string{"key", "password", "secret", "token"}

// askToSignIn answers a request without a session: with the way to the sign-in, or, if it brings a form of the console's, with the
// sign-in itself, which carries that.
func (rq *request) askToSignIn(ctx context.Context) (reply, error) {
	if rq.r.Method != http.MethodPost || rq.route.post == nil || rq.r.PathValue("creditor") == "" {
		return rq.toSignIn(), nil
	}
	if rq.route.long {
		return rq.unsentToSignIn(), nil
	}
	u := unsent{URI: rq.s.prefix + rq.r.URL.RequestURI(), Page: rq.route.get != nil || rq.route.again != nil, At: rq.s.cfg.Wall.Now()}
	if err := rq.readForm(); err != nil {
		u.LeftOut = true
	} else if !rq.form.Has("once") { // it is none of the console's forms
		return rq.unsentToSignIn(), nil
	}
	u.take(rq.form)
	if u.Back = rq.form.Get("back"); u.Back == "" {
		u.Back = rq.referer()
	}
	rq.form = nil
	sealed, err := rq.s.seal(ctx, u)
	if err != nil {
		return reply{}, err
	}
	p := rq.signInForm()
	p.Kept, p.LeftOut = sealed, u.LeftOut
	return reply{status: http.StatusUnauthorized, page: "sign_in", data: p}, nil
}

// take takes what was typed, without what is not kept.
func (u *unsent) take(typed url.Values) {
	u.Form = typed
	for name := range u.Form {
		if slices.Contains(secretFields, strings.ToLower(name)) {
			u.LeftOut = true
			delete(u.Form, name)
		}
	}
	if len(u.Form.Encode()) > maxUnsent {
		u.Form, u.LeftOut = nil, true
	}
}

// afterSignIn returns where a browser goes that has just got a key: to the form that it carries, and else to the page that was
// asked for. The form of another creditor, or of another person, is not shown.
func (rq *request) afterSignIn(ctx context.Context, key models.Key) (reply, error) {
	base := rq.s.creditorPath(key.CreditorID)
	u, is := rq.s.unseal(ctx, rq.form.Get("kept"))
	if !is {
		return rq.to(rq.asked(base)), nil
	}
	rq.keepAsked("", -1)
	rq.creditor.ID, rq.key, rq.base = key.CreditorID, key, base
	who := u.Form.Get("who")
	switch {
	case !isBelow(u.URI, base):
		return rq.sayUnsent(ctx, "", "unsent.another_creditor")
	case who != "" && who != strconv.FormatInt(key.ID, 10):
		return rq.sayUnsent(ctx, "", "unsent.another_person")
	case u.Form == nil:
		return rq.sayUnsent(ctx, u.Back, "unsent.choose_again")
	case !u.Page:
		return rq.sayUnsent(ctx, u.Back, "unsent.press_again")
	}
	name := rand.Text()
	if err := rq.keepAnswer(ctx, unsentKey(name), u.URI, u); err != nil {
		return reply{}, err
	}
	rq.setUnsent(name, int(unsentKept.Seconds()))
	return rq.to(u.URI), nil
}

// sayUnsent leads to a page of the creditor's that says what has become of a form that was not sent: the page that the form stood
// on, or else today's.
func (rq *request) sayUnsent(ctx context.Context, to, name string) (reply, error) {
	if !isBelow(to, rq.base) {
		to = rq.base + "/today"
	}
	once := rand.Text()
	if err := rq.keepAnswer(ctx, onceKey(once), to, rq.said(name)); err != nil {
		return reply{}, err
	}
	rq.setMessage(once)
	return rq.to(to), nil
}

// keepAnswer keeps something for the browser under a name for a day, as the answers to forms are kept.
func (rq *request) keepAnswer(ctx context.Context, name, location string, what any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	key := once.Key{CreditorID: rq.creditor.ID, Name: name, Request: strconv.FormatInt(rq.key.ID, 10), JSON: true, At: rq.s.cfg.Wall.Now()}
	_, _, err = once.Do(ctx, rq.s.db, &key, func(context.Context, *store.Tx) (once.Answer, error) {
		return once.Answer{Status: http.StatusSeeOther, Location: models.Shorten(location, 500), MediaType: contentJSON, Body: string(body)}, nil
	})
	return err
}

// unsentCookie names the form that waits to be sent.
const unsentCookie = "purr_unsent"

func unsentKey(name string) string { return onceKey("unsent-" + name) }

func (rq *request) setUnsent(name string, seconds int) {
	http.SetCookie(rq.w, &http.Cookie{Name: unsentCookie, Value: name, Path: rq.base + "/", MaxAge: seconds, HttpOnly: true, Secure: rq.isSecure(), SameSite: http.SameSiteLaxMode})
}

// errUnsent says above a form that it was not sent.
func errUnsent(leftOut bool) error {
	if leftOut {
		return models.Invalid("form_unsent_in_part", "", "you were signed out: nothing was done; type again what is missing, and send the form")
	}
	return models.Invalid("form_unsent", "", "you were signed out: nothing was done; send the form again")
}

// showUnsent shows the form that waits to be sent if the request is for its page, as it was filled in, and else reports false.
func (rq *request) showUnsent(ctx context.Context) (shown reply, is bool, err error) {
	again := rq.route.again
	if again == nil {
		again = rq.route.get
	}
	c, err := rq.r.Cookie(unsentCookie)
	if err != nil || again == nil || rq.route.post == nil || rq.base == "" || rq.query("part") != "" {
		return reply{}, false, nil //nolint:nilerr // there is no cookie
	}
	kept, found, err := rq.s.db.AnswerTo(ctx, rq.creditor.ID, unsentKey(c.Value), rq.s.cfg.Wall.Now())
	if err != nil || !found || kept.RequestHash != strconv.FormatInt(rq.key.ID, 10) {
		return reply{}, false, err
	}
	var u unsent
	if err := json.Unmarshal([]byte(kept.Body), &u); err != nil || u.URI != rq.s.prefix+rq.r.URL.RequestURI() || rq.s.cfg.Wall.Now().Sub(kept.CreatedAt) > unsentKept {
		return reply{}, false, err
	}
	rq.form, rq.refused = u.Form, errUnsent(u.LeftOut)
	shown, err = again(ctx, rq)
	return shown, true, err
}

// ofAnother fails if a form was opened by somebody else than the reader, who has signed in in the same browser since.
func (rq *request) ofAnother() error {
	if who := rq.form.Get("who"); who == "" || who == strconv.FormatInt(rq.key.ID, 10) {
		return nil
	}
	return models.Conflict("form_of_another", "somebody else has opened this form: look, and begin anew")
}

// seal writes a form so that nobody but this installation can read it, or write one.
func (s *Server) seal(ctx context.Context, u unsent) (string, error) {
	text, err := json.Marshal(u)
	if err != nil {
		return "", err
	}
	box, err := s.box(ctx)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(box.Seal(nil, nil, text, nil)), nil
}

// unseal reads what seal wrote, not too long ago.
func (s *Server) unseal(ctx context.Context, sealed string) (u unsent, is bool) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(raw) == 0 {
		return u, false
	}
	box, err := s.box(ctx)
	if err != nil {
		return u, false
	}
	text, err := box.Open(nil, nil, raw, nil)
	if err != nil || json.Unmarshal(text, &u) != nil {
		return unsent{}, false
	}
	age := s.cfg.Wall.Now().Sub(u.At)
	return u, age >= 0 && age < unsentSealed
}

func (s *Server) box(ctx context.Context) (cipher.AEAD, error) {
	secret, err := s.db.FormKey(ctx)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256([]byte("unsent forms of the console " + secret))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
