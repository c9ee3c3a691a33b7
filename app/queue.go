package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/config"
	"purr/jobs"
)

// openQueue connects to Redis, or starts the one inside the process, which is honest because what is
// owed stands in the database.
func (a *App) openQueue(ctx context.Context, cfg config.Config) error {
	opts, err := a.redisOptions(cfg)
	if err != nil {
		return err
	}
	client := redis.NewUniversalClient(opts)
	a.onClose("queue", func(context.Context) error { return client.Close() })
	a.Queue = jobs.NewQueue(client, a.log)
	return a.Queue.Ping(ctx)
}

// redisOptions returns how to reach the configured Redis, or the one inside the process, which it starts.
func (a *App) redisOptions(cfg config.Config) (*redis.UniversalOptions, error) {
	if cfg.RedisURL != "" {
		return redisOptions(cfg.RedisURL)
	}
	return a.startRedis()
}

// startRedis starts the Redis inside the process. It listens on the loopback interface, so it asks for a
// password that nobody else knows.
func (a *App) startRedis() (*redis.UniversalOptions, error) {
	server := miniredis.NewMiniRedis()
	password := rand.Text()
	server.RequireAuth(password)
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("start the queue inside the process: %w", err)
	}
	stop := make(chan struct{})
	go age(server, stop)
	a.onClose("queue inside the process", func(context.Context) error {
		close(stop)
		server.Close()
		return nil
	})
	return &redis.UniversalOptions{Addrs: []string{server.Addr()}, Password: password}, nil
}

// age lets the keys of the Redis inside the process grow old: by itself its time stands still.
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
