package app

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
)

// redisOptions reads the URL of a Redis (rule R2): a single server redis://:PASSWORD@HOST:PORT/DB (rediss
// with TLS), a Sentinel set-up redis+sentinel://:PASSWORD@HOST:PORT,HOST:PORT/DB?master=NAME, or a
// Cluster redis+cluster://:PASSWORD@HOST:PORT,HOST:PORT.
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

// splitHosts reads USER:PASSWORD@HOST:PORT,HOST:PORT/PATH?QUERY, of which net/url takes one host only.
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

// hideURL keeps a URL, and the password in it, out of an error's text.
func hideURL(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}
