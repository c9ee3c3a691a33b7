package console

import (
	"embed"
	"fmt"
	"html/template"
	"io"
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

// functions are what every template can call.
func (t *templates) functions(w *locale.Words) template.FuncMap {
	return template.FuncMap{
		"t":       w.Say,
		"th":      w.SayHTML,
		"amount":  locale.Amount,
		"number":  func(n any) string { return locale.Number(fmt.Sprint(n)) },
		"date":    func(d models.Date) template.HTML { return locale.TimeElement(d.String(), locale.ShortDate(d)) },
		"long":    func(d models.Date) template.HTML { return locale.TimeElement(d.String(), w.LongDate(d)) },
		"weekday": func(d models.Date) template.HTML { return locale.TimeElement(d.String(), w.WeekdayDate(d)) },
		"account": func(s string) string { return models.GroupAccount(s, "\u00A0") },
		"asset":   func(name string) string { return t.prefix + assets.Path(name) },
		"root":    func(path string) string { return t.prefix + path },
		"icon":    func(name string) icon { return icon{name, t.prefix + assets.Path("icons.svg")} },
	}
}

// icon is a symbol of the sprite; see parts/icon.html.
type icon struct{ Name, Sprite string }
