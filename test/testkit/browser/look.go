package browser

import (
	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"purr/test/testkit"
)

// The window's size in pixels, if no Look says otherwise.
const (
	width  = 1280
	height = 800
)

// look is who looks at a page, and by what.
type look struct {
	width, height int64
	scheme        string // light or dark
	media         string // screen or print
	language      string // as Accept-Language has it
	scriptsOff    bool
}

var usual = look{width: width, height: height, scheme: "light", media: "screen", language: "en"}

// Look changes how a page is looked at. Without any: in a window of 1280 × 800, in light colours, in English, with scripts,
// and without movement (prefers-reduced-motion), so that nothing is clicked before it has arrived.
type Look func(*look)

// Dark asks for dark colours.
func Dark(l *look) { l.scheme = "dark" }

// Light asks for light colours.
func Light(l *look) { l.scheme = "light" }

// Print shows the page as it is printed.
func Print(l *look) { l.media = "print" }

// Screen shows the page as a window does.
func Screen(l *look) { l.media = "screen" }

// WithoutScripts switches scripts off in the pages that are loaded from now on.
func WithoutScripts(l *look) { l.scriptsOff = true }

// Language sends an Accept-Language, such as "nb".
func Language(accept string) Look { return func(l *look) { l.language = accept } }

// Size sets the window's size in pixels.
func Size(width, height int64) Look {
	return func(l *look) { l.width, l.height = width, height }
}

// Narrow is the width of the smallest telephone, 320 pixels.
var Narrow = Size(320, 640)

// Look changes how the page is looked at. What is not named stays.
func (p *Page) Look(looks ...Look) {
	p.T.Helper()
	was := p.look
	for _, change := range looks {
		change(&p.look)
	}
	first := p.agent == "" // nothing is known yet of how the tab is looked at
	if first {
		version, err := chromedp.CallBrowser(p.ctx, browser.GetVersion, cdp.Empty{})
		testkit.Must(p.T, err)
		p.agent = version.UserAgent
	}
	if first || p.look.width != was.width || p.look.height != was.height {
		call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: p.look.width, Height: p.look.height, DeviceScaleFactor: 1,
		})
	}
	if first || p.look.media != was.media || p.look.scheme != was.scheme {
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: p.look.media, Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: p.look.scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"},
		}})
	}
	if first || p.look.language != was.language {
		call(p, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: p.agent, AcceptLanguage: p.look.language,
		})
	}
	if first || p.look.scriptsOff != was.scriptsOff {
		call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: p.look.scriptsOff})
	}
}

func (p *Page) dismissDialog() {
	_, _ = try(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) // if it is closed already, the better
}
