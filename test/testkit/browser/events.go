package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// events is what Chromium tells of a page.
type events struct {
	host    string      // the server's, with its port
	frame   cdp.FrameID // the page itself, not a frame in it
	dismiss func()      // closes a dialog

	mu       sync.Mutex
	changed  chan struct{} // closed at the next event
	document cdp.LoaderID  // the document that is shown
	url      string        // of the document
	loaded   cdp.LoaderID  // the last document that has loaded to its end
	answers  map[cdp.LoaderID]*network.Response
	problems []string
}

// Problems returns what the page has done so far that no page may do, and forgets it: errors in the console, uncaught
// exceptions, violations of its Content-Security-Policy, requests to other hosts than the server's, dialogs. Each is a line.
// What nobody has asked for when the test ends fails it.
func (p *Page) Problems() []string {
	p.events.mu.Lock()
	defer p.events.mu.Unlock()
	problems := p.events.problems
	p.events.problems = nil
	return problems
}

// take notes an event. Chromium's next event waits for it.
func (e *events) take(event any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch event := event.(type) {
	case *page.EventFrameNavigated:
		if event.Frame.ID == e.frame {
			e.document, e.url = event.Frame.LoaderID, event.Frame.URL
		}
	case *page.EventLifecycleEvent:
		if event.FrameID == e.frame && event.Name == "load" {
			e.loaded = event.LoaderID
		}
	case *network.EventResponseReceived:
		if event.FrameID == e.frame && event.Type == network.ResourceTypeDocument {
			e.answers = map[cdp.LoaderID]*network.Response{event.LoaderID: event.Response}
		}
	case *network.EventRequestWillBeSent:
		e.checkHost(event.Request.URL)
	case *network.EventWebSocketCreated:
		e.checkHost(event.URL)
	case *audits.EventIssueAdded:
		e.noteIssue(event.Issue)
	case *log.EventEntryAdded:
		e.noteEntry(event.Entry)
	case *runtime.EventConsoleAPICalled:
		if slices.Contains([]runtime.ConsoleAPICalledType{
			runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning,
			runtime.ConsoleAPICalledTypeAssert,
		}, event.Type) {
			e.note("the console says %s: %s", event.Type, words(event.Args))
		}
	case *runtime.EventExceptionThrown:
		e.note("an exception: %s", (&chromedp.ExceptionError{ExceptionDetails: event.ExceptionDetails}).Error())
	case *page.EventJavascriptDialogOpening:
		e.note("a dialog opens: %s", event.Message)
		go e.dismiss()
	default:
		return
	}
	close(e.changed)
	e.changed = make(chan struct{})
}

// note adds a problem. e.mu is held.
func (e *events) note(format string, values ...any) {
	e.problems = append(e.problems, e.url+": "+fmt.Sprintf(format, values...))
}

func (e *events) checkHost(address string) {
	u, err := url.Parse(address)
	if err != nil {
		e.note("a request to %q: %v", address, err)
		return
	}
	if slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) && u.Host != e.host {
		e.note("a request to another host: %s", address)
	}
}

func (e *events) noteIssue(issue *audits.InspectorIssue) {
	if violation := issue.Details.ContentSecurityPolicyIssueDetails; violation != nil {
		e.note("violates its Content-Security-Policy: %s, %s %s", violation.ViolatedDirective,
			violation.ContentSecurityPolicyViolationType, violation.BlockedURL)
	}
	if quirks := issue.Details.QuirksModeIssueDetails; quirks != nil {
		e.note("has no doctype of HTML 5")
	}
}

// noteEntry notes an entry of the browser's own log. That the page itself was answered with an error is none: its status
// says so.
func (e *events) noteEntry(entry *log.Entry) {
	if entry.Source == log.EntrySourceNetwork && e.answers[cdp.LoaderID(entry.NetworkRequestID)] != nil {
		return
	}
	if entry.Level == log.EntryLevelError || entry.Level == log.EntryLevelWarning {
		e.note("the log says: %s %s", entry.Text, entry.URL)
	}
}

func words(values []*runtime.RemoteObject) string {
	var all []string
	for _, v := range values {
		all = append(all, strings.Trim(string(v.Value), `"`)+v.Description)
	}
	return strings.Join(all, " ")
}

// await returns true when the condition holds, and false if the context ends before. The condition may read e.
func (e *events) await(ctx context.Context, holds func() bool) bool {
	for {
		e.mu.Lock()
		done, changed := holds(), e.changed
		e.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// shown returns the document that is shown.
func (e *events) shown() cdp.LoaderID {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.document
}

// complete reports whether the document that is shown has loaded. e.mu is held.
func (e *events) complete() bool { return e.document == e.loaded }

// answer returns status and headers of the document that is shown. The status is 0 if it came from no server.
func (e *events) answer() (status int, header http.Header) {
	e.mu.Lock()
	defer e.mu.Unlock()
	header = http.Header{}
	answer := e.answers[e.document]
	if answer == nil {
		return 0, header
	}
	for name, value := range answer.Headers {
		header.Add(name, fmt.Sprint(value))
	}
	return int(answer.Status), header
}

// address returns the URL of the document that is shown.
func (e *events) address() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.url
}
