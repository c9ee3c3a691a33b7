package console

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// view is what every page shows around its own content. A page's struct embeds it.
type view struct {
	rq *request

	Language  string
	Title     string        // h1, and the name of the window
	Lead      template.HTML // says below the title what the page shows, filters included
	Area      string        // the present link of the navigation
	Base      string        // what the paths of the creditor's pages begin with
	Here      string        // the path and query of this page, as the browser sees them
	Once      string        // names the page's forms: what one of them asks for is done once
	SignedIn  bool
	Creditor  models.Creditor
	Creditors []models.Creditor // the others of the session
	Key       models.Key
	Clock     string  // the test clock's time; empty without one
	Message   message // what the act before this page has done
	Faults    []fault // why a form was refused
	Keys      bool    // single keys are switched on
	Counting  bool    // figures of the page are still being counted
	counts    bool    // it has figures that may take long to count

	looks map[models.Thing]store.LastAct // of the things that the page's forms act on
}

func (v *view) frame() *view { return v }

// view returns the frame of a page whose title is in the catalogue.
func (rq *request) view(title string, values ...any) view {
	v := view{
		rq: rq, Language: rq.words.Language, Title: rq.words.Say(title, values...), Area: rq.route.area, Base: rq.base, Here: rq.here(), Once: rq.formName(),
		SignedIn: len(rq.session.Keys) > 0, Creditor: rq.creditor, Key: rq.key, Keys: rq.keysOn(), Faults: rq.faults(rq.refused), Message: rq.message(),
	}
	for _, k := range rq.session.Keys {
		if k.Creditor.ID != rq.creditor.ID {
			v.Creditors = append(v.Creditors, k.Creditor)
		}
	}
	if rq.s.cfg.Simulated && rq.zone != nil {
		local := rq.now.In(rq.zone)
		v.Clock = rq.words.WeekdayDate(models.DateOf(local)) + " " + local.Format("15:04")
	}
	return v
}

// formName names the page's forms. A form that was opened by a link (see Form) has the name that the link gave it: Back loads
// the page anew, and what is then sent a second time is done once. A form that is shown again keeps its name, unless
// that name has done something else already.
func (rq *request) formName() string {
	name := rq.form.Get("once")
	if rq.form == nil {
		name = rq.query("form")
	}
	var conflict *models.Error
	if len(name) < minFormName || errors.As(rq.refused, &conflict) && conflict.Code == "form_was_sent" {
		return rand.Text()
	}
	return models.Shorten(name, maxFormName)
}

// The lengths of the names of forms. rand.Text returns one of 26.
const (
	minFormName = 20
	maxFormName = 64
)

// here returns the path and query of the page, as the browser sees them. A page that is shown because the act of another one was
// refused, and that has no address there, stands where the form did.
func (rq *request) here() string {
	if rq.refused != nil && rq.route.get == nil {
		return rq.back(rq.base + "/today")
	}
	return rq.s.prefix + rq.r.URL.RequestURI()
}

// keysCookie is "off" in a browser whose reader has switched single keys off (WCAG 2.1.4).
const keysCookie = "purr_keys"

func (rq *request) keysOn() bool {
	c, err := rq.r.Cookie(keysCookie)
	return err != nil || c.Value != "off"
}

// URL returns the path of one of the creditor's pages.
func (v *view) URL(parts ...any) string {
	path := v.Base
	for _, part := range parts {
		path += "/" + toPath(part)
	}
	return path
}

// Form returns the path of a form whose act nothing but its name keeps from being done twice.
func (v *view) Form(parts ...any) string { return v.URL(parts...) + "?form=" + v.Once }

// With returns this page's path and query with one parameter changed; empty removes it. A change of the filter begins the
// list anew.
func (v *view) With(name, value string) string {
	u := *v.rq.r.URL
	q := u.Query()
	if q.Del(name); value != "" {
		q.Set(name, value)
	}
	if name != "after" {
		q.Del("after")
	}
	u.RawQuery = q.Encode()
	return v.rq.s.prefix + u.RequestURI()
}

// Progress returns where the browser asks whether the page's figures are counted; empty on the answer to a form, which cannot be
// loaded again.
func (v *view) Progress() string {
	if !v.rq.isGet() {
		return ""
	}
	return v.With("part", "progress")
}

// Asked returns a parameter of the URL.
func (v *view) Asked(name string) string { return v.rq.query(name) }

// CSV returns the path of this page as a CSV file.
func (v *view) CSV() string {
	u := *v.rq.r.URL
	q := u.Query()
	q.Del("after")
	u.Path, u.RawQuery = u.Path+".csv", q.Encode()
	return v.rq.s.prefix + u.RequestURI()
}

// Moment returns a moment in the creditor's time zone.
func (v *view) Moment(t time.Time) template.HTML { return locale.Moment(t, v.rq.zone) }

// Printed says when the page was made, for paper: the day and the time of the creditor.
func (v *view) Printed() template.HTML { return v.Moment(v.rq.now) }

// May reports whether the reader's key allows what needs a scope.
func (v *view) May(scope string) bool { return v.Key.Scope.Allows(models.Scope(scope)) }

// message is what an act says on the next page.
type message struct {
	Text string
	Undo string            // the path that takes the act back; empty if there is none
	With map[string]string // the fields of the form that does so
}

// setMessage has the next page show what an act has said.
func (rq *request) setMessage(once string) {
	http.SetCookie(rq.w, &http.Cookie{Name: messageCookie, Value: once, Path: rq.base + "/", MaxAge: 60, HttpOnly: true, Secure: rq.isSecure(), SameSite: http.SameSiteLaxMode})
}

func (m message) empty() bool { return m.Text == "" }

// messageCookie names the act whose message the next page shows. The message itself is in the database: it may hold names.
const messageCookie = "purr_done"

// message returns what the act before this page has said, once. A page that cannot read it is shown without.
func (rq *request) message() message {
	c, err := rq.r.Cookie(messageCookie)
	if err != nil || rq.base == "" || !rq.isGet() {
		return message{}
	}
	http.SetCookie(rq.w, &http.Cookie{Name: messageCookie, Path: rq.base + "/", MaxAge: -1, HttpOnly: true, Secure: rq.isSecure(), SameSite: http.SameSiteLaxMode})
	ctx, cancel := context.WithTimeout(rq.r.Context(), workLimit)
	defer cancel()
	kept, found, err := rq.s.db.AnswerTo(ctx, rq.creditor.ID, onceKey(c.Value), rq.s.cfg.Wall.Now())
	var m message
	if err != nil || !found || json.Unmarshal([]byte(kept.Body), &m) != nil {
		return message{}
	}
	return m
}

// input is one field of a form, as the template "input" shows it.
type input struct {
	ID, Name, Label, Hint   string
	Type, Value, Key        string
	Autocomplete, Inputmode string
	Rows                    int
	Required, Checked       bool
	Autofocus, ReadOnly     bool
	Pick                    string // date or month: a picker of these is beside the text
	Wrong                   string // what is said while a number is typed whose check digit is wrong; empty for other fields
	Faults                  []fault
	Options                 []option
}

type option struct {
	Value, Label string
	Selected     bool
}

func (in *input) option(words *locale.Words, name, set string) {
	switch name {
	case "type":
		in.Type = set
	case "hint":
		in.Hint = words.Say(set)
	case "says": // a hint that is a text already
		in.Hint = set
	case "autocomplete":
		in.Autocomplete = set
	case "inputmode":
		in.Inputmode = set
	case "rows":
		in.Rows = 4
	case "required":
		in.Required = true
	case "autofocus":
		in.Autofocus = true
	case "readonly":
		in.ReadOnly = true
	case "key":
		in.Key = set
	case "mod11":
		in.Wrong = words.Say("fault.invalid_organisation_number")
	}
}

// Input returns a field: its name, the name of its label in the catalogue, its value before anything was typed, and
// options of the form NAME=VALUE or NAME (type, hint, autocomplete, inputmode, rows, required, autofocus, readonly, key, mod11). A field
// of a form that is shown again has what was typed, and its faults.
func (v *view) Input(name, label string, value any, options ...string) input {
	in := input{ID: "f-" + name, Name: name, Label: v.rq.words.Say(label), Type: "text", Value: v.rq.words.Typed(value)}
	for _, o := range options {
		key, set, _ := strings.Cut(o, "=")
		in.option(v.rq.words, key, set)
	}
	if v.rq.form != nil && in.Type != "password" {
		in.Value = v.rq.form.Get(name)
	}
	in.Checked = in.Type == "checkbox" && in.Value != "" && in.Value != "0" && in.Value != "false"
	for _, f := range v.Faults {
		if f.Field == name {
			in.Faults = append(in.Faults, f)
		}
	}
	if typed := v.rq.r.URL.Query().Get(name); len(in.Faults) > 0 && v.rq.form == nil && typed != "" {
		in.Value = typed
	}
	in.pick(v.rq.words)
	return in
}

// Select returns a field with a few values to choose from: pairs of a value and the name of its label.
func (v *view) Select(name, label string, value any, pairs ...string) input {
	in := v.Input(name, label, value)
	for i := 0; i+1 < len(pairs); i += 2 {
		in.Options = append(in.Options, option{pairs[i], v.rq.words.Say(pairs[i+1]), pairs[i] == in.Value})
	}
	return in
}

// button is a button that sends a form. One that the reader's key does not allow is shown too, disabled, with the reason.
type button struct {
	Label, Key, Icon string
	Name, Value      string
	Primary          bool
	Denied           string // the id of the text that says why it is disabled
}

// Button returns a button: the name of its label in the catalogue, the scope that it needs (empty for none), and options of
// the form key=m, icon=check, name=N, value=V, primary.
func (v *view) Button(label, scope string, options ...string) button {
	return v.buttonOf(v.rq.words.Say(label), scope, options...)
}

// ButtonOf returns a button whose label is a text already.
func (v *view) ButtonOf(label, scope string, options ...string) button {
	return v.buttonOf(label, scope, options...)
}

func (v *view) buttonOf(label, scope string, options ...string) button {
	b := button{Label: label}
	if scope != "" && !v.May(scope) {
		b.Denied = "needs-" + scope
		v.rq.denied[models.Scope(scope)] = true
	}
	for _, o := range options {
		key, set, _ := strings.Cut(o, "=")
		switch key {
		case "key":
			b.Key = set
		case "icon":
			b.Icon = set
		case "name":
			b.Name = set
		case "value":
			b.Value = set
		case "primary":
			b.Primary = true
		}
	}
	return b
}

// toPath writes a part of a path. It panics if that is no text and no number.
func toPath(part any) string {
	if !plain(part) {
		panic(fmt.Sprintf("%T is no part of a path", part))
	}
	return url.PathEscape(fmt.Sprint(part))
}
