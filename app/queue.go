package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/jobs"
)

// openQueue connects to the configured Redis, or starts one inside the process. The inner Redis may lose everything:
// the database holds all due work.
func (a *App) openQueue(ctx context.Context, cfg Settings) error {
	open, newQueue := func() (*redis.UniversalOptions, error) { return redisOptions(cfg.RedisURL) }, jobs.NewQueue
	if cfg.RedisURL == "" {
		open, newQueue = a.startRedis, jobs.NewPrivateQueue
	}
	opts, err := open()
	if err != nil {
		return err
	}
	client := newClient(opts)
	a.onClose("queue", func(context.Context) error { return client.Close() })
	a.Queue = newQueue(client, a.log)
	return a.Queue.Ping(ctx)
}

// clusterAsked is how often a Redis Cluster is asked which server has what. A server that has died does not say that another
// has taken over, and the client's own minute would be a minute in which nothing is sent (rule K4).
const clusterAsked = 2 * time.Second

func newClient(opts *redis.UniversalOptions) redis.UniversalClient {
	if !opts.IsClusterMode {
		return redis.NewUniversalClient(opts)
	}
	cluster := opts.Cluster()
	cluster.ClusterStateReloadInterval = clusterAsked
	return redis.NewClusterClient(cluster)
}

// buffer is the size of the client's buffers on each connection to the Redis inside the process. The client's own choice is
// eight times as much, for a network.
const buffer = 4 << 10

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
	return &redis.UniversalOptions{
		Addrs: []string{"inside the process"}, Dialer: dial,
		ReadBufferSize: buffer, WriteBufferSize: buffer,
	}, nil
}

// age makes the keys of the inner Redis expire, because its own clock does not move. None of them expires in less than a minute.
func age(server *miniredis.Miniredis, stop <-chan struct{}) {
	const step = time.Minute
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

// redisOptions reads the URL of a Redis (rules R2, K4). USER may be empty; rediss in place of redis means TLS.
//
//	redis://USER:PASSWORD@HOST:PORT/DB
//	redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/DB?master=NAME
//	redis+cluster://USER:PASSWORD@HOST:PORT,HOST:PORT
//
// The hosts of the second form are the Sentinels. They are asked with the credentials of sentinel=USER:PASSWORD.
// TLS is for them and for the servers. The parameter ca names a PEM file with the authorities that sign the servers'
// certificates, in place of the system's.
func redisOptions(raw string) (*redis.UniversalOptions, error) {
	scheme, rest, found := strings.Cut(raw, "://")
	kind, secure := strings.CutPrefix(scheme, "rediss")
	known := secure
	if !secure {
		kind, known = strings.CutPrefix(scheme, "redis")
	}
	if !found || !known || (kind != "" && kind != "+sentinel" && kind != "+cluster") {
		return nil, errors.New("redis-url: must begin with redis://, redis+sentinel:// or redis+cluster://, or with rediss for TLS")
	}
	if kind == "" {
		return singleOptions(raw)
	}
	u, hosts, err := splitHosts(rest)
	if err != nil {
		return nil, err
	}
	opts := &redis.UniversalOptions{Addrs: hosts, Username: u.User.Username(), IsClusterMode: kind == "+cluster"}
	opts.Password, _ = u.User.Password()
	if opts.DB, err = database(u.Path); err != nil || (opts.IsClusterMode && opts.DB != 0) {
		return nil, errors.New("redis-url: the path is the number of a database, and a Cluster has none")
	}
	query := u.Query()
	for name := range query {
		if !slices.Contains(parameters[kind], name) {
			return nil, fmt.Errorf("redis-url: the parameter %q is unknown", name)
		}
	}
	if kind == "+sentinel" {
		if opts.MasterName = query.Get("master"); opts.MasterName == "" {
			return nil, errors.New("redis-url: name the master that the Sentinels watch, as in redis+sentinel://HOST:26379/0?master=mymaster")
		}
		user, password, both := strings.Cut(query.Get("sentinel"), ":")
		if !both && user != "" {
			return nil, errors.New("redis-url: the parameter sentinel is USER:PASSWORD, or :PASSWORD")
		}
		opts.SentinelUsername, opts.SentinelPassword = user, password
	}
	switch {
	case secure:
		opts.TLSConfig, err = trust(query.Get("ca"))
	case query.Get("ca") != "":
		err = errors.New("redis-url: the parameter ca needs rediss")
	}
	return opts, err
}

// parameters are those of the forms of the URL with several hosts.
var parameters = map[string][]string{"+sentinel": {"ca", "master", "sentinel"}, "+cluster": {"ca"}}

// singleOptions reads the URL of a single server.
func singleOptions(raw string) (*redis.UniversalOptions, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("redis-url: %w", hideURL(err))
	}
	query := u.Query()
	ca := query.Get("ca")
	query.Del("ca")
	u.RawQuery = query.Encode()
	single, err := redis.ParseURL(u.String())
	if err != nil {
		return nil, fmt.Errorf("redis-url: %w", hideURL(err))
	}
	if ca != "" {
		if single.TLSConfig == nil {
			return nil, errors.New("redis-url: the parameter ca needs rediss")
		}
		if single.TLSConfig, err = trust(ca); err != nil {
			return nil, err
		}
	}
	return &redis.UniversalOptions{
		Addrs: []string{single.Addr}, DB: single.DB, Username: single.Username, Password: single.Password, TLSConfig: single.TLSConfig,
	}, nil
}

// database reads the path of the URL: the number of a database, 0 if it is empty.
func database(path string) (int, error) {
	if path = strings.Trim(path, "/"); path == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(path)
	if err == nil && n < 0 {
		err = errors.New("is negative")
	}
	return n, err
}

// trust returns a TLS configuration that trusts the authorities in a PEM file, or the system's if the path is empty.
// Each connection checks the certificate against the name of the host that it was asked for.
func trust(path string) (*tls.Config, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if path == "" {
		return cfg, nil
	}
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("redis-url: the parameter ca: %w", err)
	}
	cfg.RootCAs = x509.NewCertPool()
	if !cfg.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("redis-url: the parameter ca: %s holds no certificate", path)
	}
	return cfg, nil
}

// splitHosts reads USER:PASSWORD@HOST:PORT,HOST:PORT/PATH?QUERY. The package net/url accepts one host only.
func splitHosts(rest string) (*url.URL, []string, error) {
	end := strings.IndexAny(rest, "/?") // a slash may be in the query too
	if end < 0 {
		end = len(rest)
	}
	user, hosts := "", rest[:end]
	if at := strings.LastIndexByte(hosts, '@'); at >= 0 {
		user, hosts = hosts[:at+1], hosts[at+1:]
	}
	u, err := url.Parse("redis://" + user + "host" + rest[end:])
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
