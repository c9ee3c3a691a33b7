package browser

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"purr/test/testkit"
)

// tab is a tab of Chromium with cookies and a cache of its own. Chromium starts a process for each, which costs more than most
// tests have it do; so a tab whose test has ended is emptied, and serves the next.
type tab struct {
	context context.Context // ends when the tab closes
	close   func()
}

// empty are the tabs that no test uses.
var empty struct {
	mu   sync.Mutex
	tabs []*tab
}

// emptyTab returns an empty tab without cookies, which no other test uses.
func emptyTab() (*tab, error) {
	parent, err := started()
	if err != nil {
		return nil, err
	}
	if t := takeEmpty(); t != nil {
		return t, nil
	}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		return nil, err
	}
	return &tab{ctx, cancel}, nil
}

// takeEmpty returns one of the empty tabs; nil if there is none.
func takeEmpty() *tab {
	empty.mu.Lock()
	defer empty.mu.Unlock()
	last := len(empty.tabs) - 1
	if last < 0 {
		return nil
	}
	t := empty.tabs[last]
	empty.tabs = empty.tabs[:last]
	return t
}

// leave empties the tab for the next test, of what the server at base left in it too. It closes one whose test has failed, or that
// cannot be emptied.
func (t *tab) leave(base string, failed bool) {
	if failed || t.clear(base) != nil {
		t.close()
		return
	}
	empty.mu.Lock()
	defer empty.mu.Unlock()
	empty.tabs = append(empty.tabs, t)
}

// clear has the tab show nothing, and forget its cookies, what pages of base have stored, its cache, and where it has been.
func (t *tab) clear(base string) error {
	if _, err := try(t.context, runtime.Evaluate, runtime.EvaluateParams{Expression: "sessionStorage.clear()"}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(t.context, testkit.Patience)
	defer cancel()
	// It waits until the page is shown: one that comes after the history was reset is the second in it.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	stored := storage.ClearDataForOriginParams{Origin: base, StorageTypes: "all"}
	if _, err := try(t.context, storage.ClearDataForOrigin, stored); err != nil {
		return err
	}
	for _, command := range []cdp.Command[cdp.Empty, cdp.Empty]{
		network.ClearBrowserCookies, network.ClearBrowserCache, page.ResetNavigationHistory,
	} {
		if _, err := try(t.context, command, cdp.Empty{}); err != nil {
			return err
		}
	}
	return nil
}
