package tasks

import (
	"strings"

	"github.com/redis/go-redis/v9"
)

// What this package knows of asynq's insides stands in this file: its keys, and which of its scripts is which, by the keys that they
// name. contract_test.go holds it to the version that go.mod names.

// The parts of a queue, as the library keeps them.
const (
	pending   = "pending"   // a list of IDs: tasks that are ready, the next at its end
	active    = "active"    // a list of IDs: tasks in hand
	leases    = "lease"     // a set of IDs, by the second in which the lease of a task in hand ends
	scheduled = "scheduled" // a set of IDs: tasks that wait for their time
	retry     = "retry"     // a set of IDs: tasks that have failed, and wait for their next try
	archived  = "archived"  // a set of IDs: tasks that were given up
	completed = "completed" // a set of IDs: tasks that are kept after their end
	paused    = "paused"    // is there while the queue is paused
)

// since is the field of a task that is ready which says since when, in nanoseconds.
const since = "pending_since"

// keyOf returns the key of a part of a queue.
func keyOf(queue, part string) string { return "asynq:{" + queue + "}:" + part }

// taskKey returns the key of a task.
func taskKey(queue, id string) string { return keyOf(queue, "t:"+id) }

// isPart reports whether a key is that of a part of any queue.
func isPart(key, part string) bool {
	return strings.HasPrefix(key, "asynq:{") && strings.HasSuffix(key, "}:"+part)
}

// isWaitingSet reports whether a key is a set of tasks that wait for their time.
func isWaitingSet(key string) bool {
	return isPart(key, completed) || isPart(key, scheduled) || isPart(key, retry)
}

// saysWhoWorks reports whether a command notes that a worker lives, for others to see. asynq does it every five seconds for each
// queue, by a script.
func saysWhoWorks(cmd redis.Cmder, keys []string) bool {
	if len(keys) > 0 {
		return strings.HasPrefix(keys[0], "asynq:servers:")
	}
	if name := cmd.Name(); name != "zadd" && name != "zrem" {
		return false
	}
	return cmd.Args()[1] == "asynq:servers" || cmd.Args()[1] == "asynq:workers"
}

// keysOf returns the keys of a script, and none for any other command.
func keysOf(cmd redis.Cmder) (keys []string) {
	args := cmd.Args()
	if name := cmd.Name(); (name != "evalsha" && name != "eval") || len(args) < 3 {
		return nil
	}
	n, _ := args[2].(int)
	for _, arg := range args[3:min(3+n, len(args))] {
		key, is := arg.(string)
		if !is {
			return nil
		}
		keys = append(keys, key)
	}
	return keys
}

// pendingOf returns the queue whose list of tasks that are ready a script uses, empty for any other script.
func pendingOf(keys []string) string {
	for _, key := range keys {
		if queue, found := strings.CutSuffix(key, "}:"+pending); found {
			return strings.TrimPrefix(queue, "asynq:{")
		}
	}
	return ""
}

// asksForTask reports whether a script takes the next task off the list: it names the list, whether the queue is paused,
// and where the task and its lease go.
func asksForTask(keys []string) bool {
	return len(keys) == 4 && isPart(keys[0], pending) && isPart(keys[1], paused)
}

// clearsSet reports whether a script moves the tasks whose time has come from a set to the list, or deletes those that are kept
// no longer. It does nothing while the set is empty.
func clearsSet(keys []string) bool {
	switch len(keys) {
	case 1:
		return isPart(keys[0], completed)
	case 2:
		return isPart(keys[0], scheduled) || isPart(keys[0], retry)
	}
	return false
}
