// Package browser looks at web pages as people do: in a real Chromium without a window. It finds things by role and
// accessible name, as a screen reader does, clicks and types, and records what a page must not do: errors in the console,
// violations of its Content-Security-Policy, requests to other hosts. It knows nothing of purr's pages.
//
// One Chromium serves all tests of a package. It is started by the first that opens a page, and stopped by Main. Each page
// that is opened has cookies of its own. Nothing sleeps: an act that loads a page returns when the page has loaded.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"purr/test/testkit/servers"
)

// chromium is this process's Chromium.
var chromium struct {
	once    sync.Once
	context context.Context // ends with Chromium
	stop    func()
	err     error
}

// Main runs the tests of a package, stops Chromium if one of them has started it, and ends the process. A package whose
// tests open pages calls it in its TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

// started returns the context of this process's Chromium, and starts it at the first call.
func started() (context.Context, error) {
	chromium.once.Do(func() {
		if chromium.err = start(); chromium.err != nil {
			chromium.err = fmt.Errorf("start Chromium: %w", chromium.err)
		}
	})
	return chromium.context, chromium.err
}

// flags keep Chromium on this machine: no name is looked up but those of the loopback address, and no proxy is asked. They also
// keep it small: the pages share processes, what is drawn without a graphics card and the network need none of their own, and a
// page that follows another in its tab gets the other's frame (RenderDocument would make a new one for each).
var flags = map[string]any{
	"disable-gpu":                         true,
	"in-process-gpu":                      true,
	"renderer-process-limit":              "1",
	"disable-quic":                        true,
	"disable-component-update":            true,
	"disable-domain-reliability":          true,
	"disable-field-trial-config":          true,
	"no-pings":                            true,
	"no-proxy-server":                     true,
	"host-resolver-rules":                 "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
	"enable-features":                     "NetworkServiceInProcess2",
	"disable-features":                    "BackForwardCache,RenderDocument,OptimizationHints,MediaRouter,Translate", // Back loads anew
	"font-render-hinting":                 "none",
	"disable-search-engine-choice-screen": true,
}

func start() error {
	path, err := servers.Chromium()
	if err != nil {
		return err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.WindowSize(width, height),
		chromedp.NoSandbox) // root has none; the pages are our own
	for name, value := range flags {
		options = append(options, chromedp.Flag(name, value))
	}
	// The user data are in a fresh temporary folder, which chromedp removes.
	allocator, release := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {})) // events that it does not know
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		release()
		if exit, is := errors.AsType[*exec.ExitError](err); is {
			return fmt.Errorf("%s: %w", path, exit)
		}
		return fmt.Errorf("%s: %w", path, err)
	}
	chromium.context = ctx
	chromium.stop = func() {
		_ = chromedp.Cancel(ctx) // what a browser says when it ends does not matter
		release()
	}
	return nil
}
