package jobs

import (
	"context"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"purr/jobs/tasks"
	"purr/models"
)

// The queues' names keep our tasks apart from those of other programs on the same Redis. Shipments, webhooks
// and a print shop's letters have queues and workers of their own: slow mail servers, endpoints and shops delay nothing else.
const (
	queueName    = "purr"
	shipQueue    = "purr-shipments"
	webhookQueue = "purr-webhooks"
	lettersQueue = "purr-letters"
)

var queues = []string{queueName, shipQueue, webhookQueue, lettersQueue}

// handsFor says how many tasks of each queue a worker does at once.
func handsFor(concurrency int) []tasks.Hands {
	return []tasks.Hands{
		{Queue: queueName, Most: concurrency},
		{Queue: shipQueue, Most: shipShare * concurrency},
		{Queue: webhookQueue, Most: webhookConcurrency},
		{Queue: lettersQueue, Most: lettersConcurrency},
	}
}

// Queue is where the work waits that rows owe.
type Queue struct{ *tasks.Queue }

// NewQueue returns the queue on a Redis. It adds a hook to the client, which the caller closes.
func NewQueue(r redis.UniversalClient, log *slog.Logger) *Queue {
	return &Queue{tasks.New(r, queues, log)}
}

// NewPrivateQueue is NewQueue on a Redis that no other process sees.
func NewPrivateQueue(r redis.UniversalClient, log *slog.Logger) *Queue {
	return &Queue{tasks.NewPrivate(r, queues, log)}
}

// DocumentMade hints that a new document of the creditor is to be sent.
func (q *Queue) DocumentMade(ctx context.Context, creditorID int64, d models.Document) {
	q.Hint(ctx, shipTask(shipPayload{CreditorID: creditorID, Lane: d.ID % shipLanes}))
}
