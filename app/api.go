package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/api"
	"purr/api/guard"
	"purr/clock"
	"purr/config"
)

// startAPI listens and answers.
func (a *App) startAPI(ctx context.Context, cfg config.Config) error {
	registry := prometheus.NewRegistry()
	handler := api.New(api.Config{
		DB: a.DB, Documents: a.Documents, Collection: a.Collection, Importer: a.Importer, Rules: a.Rules, Queue: a.Queue, Clock: a.Clock, Wall: clock.System{}, TestClock: a.testClock(),
		BaseURL: cfg.BaseURL, RateLimit: guard.RateLimit{PerSecond: cfg.RateLimit}, Metrics: a.metrics(registry), Registry: registry, Log: a.log,
		Checks: []api.Check{{Name: "database", Ask: a.DB.Ping}, {Name: "queue", Ask: a.Queue.Ping}, {Name: "store", Ask: a.Archive.Ping}},
	})
	a.onClose("API's own", func(context.Context) error { return handler.Close() })
	server := handler.HTTP()
	scheme, serve := "http", server.Serve
	if cfg.TLSCertificate != "" {
		shown, err := newCertificate(cfg.TLSCertificate, cfg.TLSKey, clock.System{}, a.log)
		if err != nil {
			return err
		}
		server.TLSConfig = shown.config()
		scheme, serve = "https", func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	a.URL = scheme + "://" + listener.Addr().String()
	a.onClose("API", func(ctx context.Context) error { return endRequests(ctx, server) })
	go func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("the API stopped: %w", err)
		}
	}()
	return nil
}

// requestsGrace is how long running requests may go on after SIGTERM. What jobs may take comes after it
// (rule R4: the whole within 30 s).
const requestsGrace = 6 * time.Second

// endRequests takes no new requests and lets the running ones finish, but for those whose clients let it wait.
func endRequests(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, requestsGrace)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}

// testClock returns what moves the test clock. Without one it is nil itself, not a nil pointer in an
// interface.
func (a *App) testClock() api.TestClock {
	if a.mover == nil {
		return nil
	}
	return a.mover
}
