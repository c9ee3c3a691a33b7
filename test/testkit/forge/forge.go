// Package forge does to the queue in Redis what the program never does: it puts tasks there that nobody owes, and has tasks given up.
package forge

import (
	"testing"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// Task puts a task with any payload into a queue.
func Task(t testing.TB, r redis.UniversalClient, queue, kind, payload string) {
	t.Helper()
	_, err := asynq.NewClientFromRedisClient(r).EnqueueContext(t.Context(), asynq.NewTask(kind, []byte(payload)), asynq.Queue(queue), asynq.MaxRetry(3))
	if err != nil {
		t.Fatalf("forge a task: %v", err)
	}
}

// GiveUp has all tasks of a queue that wait given up.
func GiveUp(t testing.TB, r redis.UniversalClient, queue string) {
	t.Helper()
	if _, err := asynq.NewInspectorFromRedisClient(r).ArchiveAllPendingTasks(queue); err != nil {
		t.Fatalf("give up the tasks of %s: %v", queue, err)
	}
}
