package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"purr/app"
)

// healthTimeout is how long the part may take to answer. It is longer than the part's own checks take.
const healthTimeout = 8 * time.Second

func healthCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "health [ADDRESS]", Short: "Ask a running part whether it can do its work", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := app.ReadSettings(cmd.Flags(), os.LookupEnv)
			if err != nil {
				return err
			}
			url := ownURL(cfg)
			if len(args) > 0 {
				if url = args[0]; !strings.Contains(url, "://") {
					url = "http://" + url
				}
			}
			return askHealth(cmd.Context(), strings.TrimRight(url, "/")+"/readyz", len(args) == 0)
		},
	}
	app.AddHealth(c.Flags())
	return c
}

// ownURL returns the address of the part that listens on this machine with the same settings.
func ownURL(cfg app.Settings) string {
	scheme, address := "http", cfg.Listen
	if cfg.Certificate.ChainFile != "" {
		scheme = "https"
	}
	if host, port, err := net.SplitHostPort(address); err == nil {
		switch host {
		case "", "0.0.0.0":
			address = net.JoinHostPort("127.0.0.1", port)
		case "::":
			address = net.JoinHostPort("::1", port)
		}
	}
	return scheme + "://" + address
}

// askHealth prints the answer of a part. On this machine the name in its certificate need not be right.
func askHealth(ctx context.Context, url string, own bool) error {
	client := &http.Client{Timeout: healthTimeout, Transport: &http.Transport{TLSClientConfig: &tls.Config{
		InsecureSkipVerify: own,
	}}}
	rq, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return badUsage("the address: %w", err)
	}
	answer, err := client.Do(rq)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s\n%s", answer.Status, strings.TrimSpace(string(body)))
	}
	fmt.Print(string(body))
	return nil
}
