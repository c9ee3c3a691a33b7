package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/config"
	"purr/jobs"
)

// openQueue connects to the configured Redis, or starts one inside the process. The inner Redis may lose everything:
// the database holds all due work.
func (a *App) openQueue(ctx context.Context, cfg config.Config) error {
	open := func() (*redis.UniversalOptions, error) { return redisOptions(cfg.RedisURL) }
	if cfg.RedisURL == "" {
		open = a.startRedis
	}
	opts, err := open()
	if err != nil {
		return err
	}
	client := redis.NewUniversalClient(opts)
	a.onClose("queue", func(context.Context) error { return client.Close() })
	a.Queue = jobs.NewQueue(client, a.log)
	return a.Queue.Ping(ctx)
}

// startRedis starts a Redis inside the process. It has no port: each connection is a pipe (rule O5). A pipe holds no
// bytes, so commands that are sent together must fit into the server's buffer of 4 kB.
func (a *App) startRedis() (*redis.UniversalOptions, error) {
	server := miniredis.NewMiniRedis()
	stop := make(chan struct{})
	go age(server, stop)
	a.onClose("queue inside the process", func(context.Context) error {
		close(stop)
		server.Close()
		return nil
	})
	dial := func(context.Context, string, string) (net.Conn, error) { return server.Dial() }
	return &redis.UniversalOptions{Addrs: []string{"inside the process"}, Dialer: dial}, nil
}

// age makes the keys of the inner Redis expire, because its own clock does not move.
func age(server *miniredis.Miniredis, stop <-chan struct{}) {
	const step = time.Second
	tick := time.NewTicker(step)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			server.FastForward(step)
		}
	}
}

// redisOptions reads the URL of a Redis (rule R2). A single server is redis://:PASSWORD@HOST:PORT/DB (rediss with
// TLS). A Sentinel set-up is redis+sentinel://:PASSWORD@HOST:PORT,HOST:PORT/DB?master=NAME. A Cluster is
// redis+cluster://:PASSWORD@HOST:PORT,HOST:PORT.
func redisOptions(raw string) (*redis.UniversalOptions, error) {
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		return nil, errors.New("redis-url: must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://")
	}
	if scheme == "redis" || scheme == "rediss" {
		single, err := redis.ParseURL(raw)
		if err != nil {
			return nil, fmt.Errorf("redis-url: %w", hideURL(err))
		}
		return &redis.UniversalOptions{
			Addrs: []string{single.Addr}, DB: single.DB, Username: single.Username, Password: single.Password, TLSConfig: single.TLSConfig,
		}, nil
	}
	u, hosts, err := splitHosts(rest)
	if err != nil {
		return nil, err
	}
	opts := &redis.UniversalOptions{Addrs: hosts, Username: u.User.Username()}
	opts.Password, _ = u.User.Password()
	switch scheme {
	case "redis+cluster":
		opts.IsClusterMode = true
	case "redis+sentinel":
		if opts.MasterName = u.Query().Get("master"); opts.MasterName == "" {
			return nil, errors.New("redis-url: name the master that the Sentinels watch, as in redis+sentinel://HOST:26379/0?master=mymaster")
		}
		if _, err := fmt.Sscanf(strings.Trim(u.Path, "/")+" ", "%d ", &opts.DB); err != nil && strings.Trim(u.Path, "/") != "" {
			return nil, errors.New("redis-url: the path is the number of a database")
		}
	default:
		return nil, fmt.Errorf("redis-url: %q is not redis, rediss, redis+sentinel or redis+cluster", scheme)
	}
	return opts, nil
}

// splitHosts reads USER:PASSWORD@HOST:PORT,HOST:PORT/PATH?QUERY. The package net/url accepts one host only.
func splitHosts(rest string) (*url.URL, []string, error) {
	authority, tail, _ := strings.Cut(rest, "/")
	user, hosts := "", authority
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, hosts = authority[:at+1], authority[at+1:]
	}
	hosts, query, _ := strings.Cut(hosts, "?")
	if query != "" {
		tail = "?" + query
	}
	u, err := url.Parse("redis://" + user + "host/" + tail)
	if err != nil || hosts == "" {
		return nil, nil, errors.New("redis-url: is not of the form SCHEME://:PASSWORD@HOST:PORT,HOST:PORT/DB")
	}
	return u, strings.Split(hosts, ","), nil
}

// hideURL removes a URL, which may hold a password, from an error's text.
func hideURL(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
