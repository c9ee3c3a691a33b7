package console

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"regexp"
	"sync"

	"purr/console/assets"
	"purr/console/locale"
	"purr/models"
)

//go:embed pages/*.html parts/*.html
var templateFiles embed.FS

// templates are the pages in each language. A page is read when it is first shown, so that the start waits for none.
type templates struct {
	prefix string
	mu     sync.Mutex
	read   map[string]*template.Template // by language and page
}

func newTemplates(prefix string) *templates {
	return &templates{prefix: prefix, read: map[string]*template.Template{}}
}

// draw writes a page: pages/NAME.html within pages/layout.html, with all of parts.
func (t *templates) draw(w io.Writer, language, name string, data any) error {
	page, err := t.page(language, name)
	if err != nil {
		return err
	}
	return page.ExecuteTemplate(w, "layout.html", data)
}

func (t *templates) page(language, name string) (*template.Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := language + "/" + name
	if known := t.read[key]; known != nil {
		return known, nil
	}
	page, err := template.New("").Funcs(t.functions(locale.Catalogue()[language])).ParseFS(templateFiles, "pages/layout.html", "parts/*.html", "pages/"+name+".html")
	if err != nil {
		return nil, err
	}
	t.read[key] = page
	return page, nil
}

// functions are what every template can call. Each fails if it gets what is not of its type (rule D91): a page that shows a wrong
// thing is worse than none.
func (t *templates) functions(w *locale.Words) template.FuncMap {
	return template.FuncMap{
		"t":       only(w.Say),
		"th":      only(w.SayHTML),
		"amount":  locale.Amount,
		"number":  number,
		"date":    func(d models.Date) template.HTML { return locale.TimeElement(d.String(), locale.ShortDate(d)) },
		"long":    func(d models.Date) template.HTML { return locale.TimeElement(d.String(), w.LongDate(d)) },
		"weekday": func(d models.Date) template.HTML { return locale.TimeElement(d.String(), w.WeekdayDate(d)) },
		"actor":   w.Actor,
		"comment": w.Comment,
		"called":  func(name string, customer int64) string { return called(w, name, customer) },
		"account": func(s string) string { return models.GroupAccount(s, "\u00A0") },
		"asset":   func(name string) string { return t.prefix + assets.Path(name) },
		"root":    func(path string) string { return t.prefix + path },
		"icon":    func(name string) icon { return icon{name, t.prefix + assets.Path("icons.svg")} },
	}
}

// only returns a function that says a text of the catalogue, filled with plain values alone.
func only[T any](say func(name string, values ...any) T) func(name string, values ...any) (T, error) {
	return func(name string, values ...any) (said T, err error) {
		for _, v := range values {
			if !plain(v) {
				return said, fmt.Errorf("say %s: %T is nothing that a text can be filled with", name, v)
			}
		}
		if len(values)%2 != 0 {
			return said, fmt.Errorf("say %s: a value has no name", name)
		}
		return say(name, values...), nil
	}
}

// plain reports whether a value is one text or one number: no list, and nothing with parts of its own.
func plain(v any) bool {
	switch reflect.ValueOf(v).Kind() { //nolint:exhaustive // the others have parts, or are nothing
	case reflect.String, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64:
		return true
	}
	return false
}

// decimal is a number that is written in full.
var decimal = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// number writes a count, or a number with decimals that is no amount.
func number(n any) (string, error) {
	switch v := n.(type) {
	case int, int64, models.Price, models.Quantity, models.Percent:
		return locale.Number(fmt.Sprint(v)), nil
	case string:
		if decimal.MatchString(v) {
			return locale.Number(v), nil
		}
	}
	return "", fmt.Errorf("%T is no number", n)
}

// icon is a symbol of the sprite; see parts/icon.html.
type icon struct{ Name, Sprite string }
