package tasks

import (
	"context"
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/test/testkit"
)

// knownVersion is the version of asynq whose insides this package knows.
const knownVersion = "v0.26.0"

// TestTheLibraryIsTheOneThatIsKnown fails with each new version of the library, until somebody has looked at it.
func TestTheLibraryIsTheOneThatIsKnown(t *testing.T) {
	module, err := os.ReadFile("../../go.mod")
	must(t, err)
	found := regexp.MustCompile(`github\.com/hibiken/asynq (\S+)`).FindAllSubmatch(module, -1)
	if len(found) != 1 || string(found[0][1]) != knownVersion {
		t.Errorf("go.mod names asynq as %q, and jobs/tasks knows the insides of %s alone. A script that it takes for another one can stop all work "+
			"without a word: read what has changed in the library's internal/rdb, forwarder, janitor and heartbeater, bring keys.go and the tests of "+
			"this file up to date, and only then set knownVersion", found, knownVersion)
	}
}

// knownScripts are the scripts that the library runs for what this package asks of it, by the keys that they name, and what keys.go
// takes each of them for.
var knownScripts = map[string]string{
	"t:ID pending":                "makes ready",         // a task is enqueued
	"pending paused active lease": "asks for a task",     // it is taken
	"active lease pending t:ID":   "makes ready",         // it is put back
	"scheduled pending":           "clears, makes ready", // its time has come
	"retry pending":               "clears, makes ready", // its pause is over, or is ended by hand
	"t:ID scheduled":              "fills a set",         // it comes later
	"completed":                   "clears",              // tasks that were kept are deleted
	"servers workers":             "says who works",      // a worker lives
	"lease":                       "",                    // leases that are over are looked for
	"aggregation_sets":            "",                    // of groups, which there are none of
	"active lease t:ID processed:DATE processed":                                "",            // a task is done
	"t:ID active lease retry processed:DATE failed:DATE processed failed":       "fills a set", // it has failed
	"t:ID active lease archived processed:DATE failed:DATE processed failed t:": "",            // it is given up
}

// takenFor says what keys.go takes a script for.
func takenFor(cmd redis.Cmder) string {
	keys := keysOf(cmd)
	var roles []string
	for role, is := range map[string]bool{
		"asks for a task": asksForTask(keys),
		"clears":          clearsSet(keys),
		"fills a set":     slices.ContainsFunc(keys, isWaitingSet) && !clearsSet(keys),
		"makes ready":     pendingOf(keys) == rest && !asksForTask(keys),
		"says who works":  saysWhoWorks(cmd, keys),
	} {
		if is {
			roles = append(roles, role)
		}
	}
	slices.Sort(roles)
	return strings.Join(roles, ", ")
}

// nameless takes the names of a queue, of tasks and of days out of keys.
var nameless = strings.NewReplacer("asynq:{"+rest+"}:", "")

var (
	aTask = regexp.MustCompile(`^t:.+$`)
	aDay  = regexp.MustCompile(`:\d{4}-\d\d-\d\d$`)
	aPart = regexp.MustCompile(`^asynq:(\w+):\{.*\}$`)
)

// shape returns the keys of a script without what differs from one to the next.
func shape(keys []string) string {
	shapes := make([]string, len(keys))
	for i, key := range keys {
		key = aDay.ReplaceAllString(nameless.Replace(key), ":DATE")
		shapes[i] = aPart.ReplaceAllString(aTask.ReplaceAllString(key, "t:ID"), "$1")
	}
	return strings.Join(shapes, " ")
}

// recorder is a hook that remembers the scripts that the library runs, by their shape, with what they are taken for, and what it says
// of workers by other commands.
type recorder struct {
	redis.Hook
	mu      sync.Mutex
	scripts map[string]string
	workers map[string]bool
}

func (r *recorder) DialHook(next redis.DialHook) redis.DialHook { return next }

func (r *recorder) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (r *recorder) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		r.mu.Lock()
		if keys := keysOf(cmd); len(keys) > 0 {
			r.scripts[shape(keys)] = takenFor(cmd)
		} else if len(cmd.Args()) > 1 && (cmd.Args()[1] == "asynq:servers" || cmd.Args()[1] == "asynq:workers") {
			r.workers[cmd.Name()] = saysWhoWorks(cmd, nil)
		}
		r.mu.Unlock()
		return next(ctx, cmd)
	}
}

// TestTheLibraryRunsTheScriptsThatAreKnown has tasks done, fail, be given up, put back, come later and be tried at once: for all of it
// the library runs the scripts that keys.go knows, and no other.
func TestTheLibraryRunsTheScriptsThatAreKnown(t *testing.T) {
	eachRedis(t, func(t *testing.T, url string) {
		client, seen := dial(t, url), &recorder{scripts: map[string]string{}, workers: map[string]bool{}}
		client.AddHook(seen)
		adds, looks := asynq.NewClientFromRedisClient(client), asynq.NewInspectorFromRedisClient(dial(t, url))
		add := func(kind string, options ...asynq.Option) {
			t.Helper()
			_, err := adds.Enqueue(asynq.NewTask(kind, nil), append(options, asynq.TaskID(kind+":1#0"), asynq.Queue(rest), asynq.MaxRetry(3))...)
			must(t, err)
		}
		begun := make(chan struct{})
		server := asynq.NewServerFromRedisClient(client, asynq.Config{
			Concurrency: 1, Queues: map[string]int{rest: 1}, LogLevel: asynq.FatalLevel, TaskCheckInterval: time.Millisecond, ShutdownTimeout: time.Millisecond,
			DelayedTaskCheckInterval: 10 * time.Millisecond, JanitorInterval: 10 * time.Millisecond,
			RetryDelayFunc: func(int, error, *asynq.Task) time.Duration { return time.Hour },
		})
		must(t, server.Start(asynq.HandlerFunc(func(ctx context.Context, task *asynq.Task) error {
			switch retried, _ := asynq.GetRetryCount(ctx); {
			case task.Type() == "fails" && retried == 0:
				return errors.New("it failed")
			case task.Type() == "fails for good":
				return asynq.SkipRetry
			case task.Type() == "hangs":
				close(begun)
				<-ctx.Done()
				time.Sleep(time.Second)
			}
			return nil
		})))
		add("fails")
		add("fails for good")
		add("comes later", asynq.ProcessIn(time.Hour))
		testkit.Eventually(t, "a task waits for its next try, one is given up", func() (bool, any) {
			info, err := looks.GetQueueInfo(rest)
			return err == nil && info.Retry == 1 && info.Archived == 1 && info.Scheduled == 1, info
		})
		_, err := asynq.NewInspectorFromRedisClient(client).RunAllRetryTasks(rest)
		must(t, err)
		testkit.Eventually(t, "the library has run all scripts that it repeats", func() (bool, any) {
			seen.mu.Lock()
			defer seen.mu.Unlock()
			return len(seen.scripts) >= len(knownScripts)-1, slices.Sorted(maps.Keys(seen.scripts))
		})
		add("hangs")
		<-begun
		server.Shutdown()
		for keys, want := range knownScripts {
			if got, ran := seen.scripts[keys]; !ran || got != want {
				t.Errorf("the script with the keys %q: it was run: %t, and is taken for %q, want %q", keys, ran, got, want)
			}
			delete(seen.scripts, keys)
		}
		for keys, as := range seen.scripts {
			t.Errorf("the library runs a script with the keys %q, which keys.go does not know and takes for %q", keys, as)
		}
		if want := map[string]bool{"zadd": true, "zrem": true}; !maps.Equal(seen.workers, want) {
			t.Errorf("it says who works by %v, want %v", seen.workers, want)
		}
	})
}

// TestTheLibraryKeepsTasksAsIsKnown holds the keys that this package reads and deletes: while a task waits, while it is in hand, and
// for as long as its worker lives.
func TestTheLibraryKeepsTasksAsIsKnown(t *testing.T) {
	eachRedis(t, func(t *testing.T, url string) {
		q, r := connect(t, url)
		ctx, before := t.Context(), clock.System{}.Now()
		first, second := Task{Queue: rest, Kind: "work", Key: "1"}, Task{Queue: rest, Kind: "work", Key: "2"}
		for i, task := range []Task{first, first, second} {
			if fresh, err := q.Add(ctx, task); err != nil || fresh != (i != 1) {
				t.Errorf("%s is added: %t, %v", task.Key, fresh, err)
			}
		}
		if next := r.LIndex(ctx, keyOf(rest, pending), -1).Val(); next != q.id(first) {
			t.Errorf("the next task is %q", next)
		}
		if from, err := r.HGet(ctx, taskKey(rest, q.id(first)), since).Int64(); err != nil || time.Unix(0, from).Before(before) || time.Unix(0, from).After(clock.System{}.Now()) {
			t.Errorf("it waits since %d (%v)", from, err)
		}
		goOn, oneHand := make(chan struct{}), []Hands{{rest, 1}}
		server, err := q.Serve(oneHand, patience, func(context.Context, string, []byte) error {
			<-goOn
			return nil
		})
		must(t, err)
		t.Cleanup(server.Stop)
		until := func() float64 { return r.ZScore(ctx, keyOf(rest, leases), q.id(first)).Val() }
		testkit.Eventually(t, "the task is in hand", func() (bool, any) { return until() > 0, until() })
		if ids := r.LRange(ctx, keyOf(rest, active), 0, -1).Val(); !slices.Equal(ids, []string{q.id(first)}) {
			t.Errorf("in hand are %q", ids)
		}
		if r.HExists(ctx, taskKey(rest, q.id(first)), since).Val() {
			t.Error("a task in hand waits")
		}
		taken, at := until(), clock.System{}.Now()
		testkit.Eventually(t, "its lease is renewed", func() (bool, any) { return until() > taken, taken })
		if took := (clock.System{}).Now().Sub(at); took > abandonedAfter {
			t.Errorf("its lease was renewed after %s, and counts as abandoned after %s", took, abandonedAfter)
		}
		close(goOn)
		testkit.Eventually(t, "nothing is left of the tasks", func() (bool, any) {
			left := slices.Concat(r.Keys(ctx, taskKey(rest, "*")).Val(), r.Keys(ctx, keyOf(rest, leases)).Val(), r.Keys(ctx, keyOf(rest, completed)).Val())
			return len(left) == 0, left
		})
	})
}
