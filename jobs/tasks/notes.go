package tasks

import (
	"context"
	"strconv"
	"time"
)

// notesKept is how long the notes of somebody who is never asked for again are kept.
const notesKept = 31 * 24 * time.Hour

// notesKey returns the key of somebody's notes. They lie beside the first queue, on one server of a Cluster.
func (q *Queue) notesKey(of string) string { return "purr:{" + q.names[0] + "}:notes:" + of }

// Private reports whether no other process sees the Redis, so that nothing in it outlives this one.
func (q *Queue) Private() bool { return q.bell.private }

// KeepNote keeps a note of somebody in a slot, in place of what was there. It fails with models.KindUnavailable if Redis does not take it.
func (q *Queue) KeepNote(ctx context.Context, of string, slot int, note string) error {
	pipe := q.redis.Pipeline()
	pipe.HSet(ctx, q.notesKey(of), strconv.Itoa(slot), note)
	pipe.Expire(ctx, q.notesKey(of), notesKept)
	_, err := pipe.Exec(ctx)
	return away(err)
}

// Notes returns somebody's notes, in no order. It fails with models.KindUnavailable if Redis does not answer.
func (q *Queue) Notes(ctx context.Context, of string) ([]string, error) {
	notes, err := q.redis.HVals(ctx, q.notesKey(of)).Result()
	return notes, away(err)
}

// DropNotes removes somebody's notes in some slots.
func (q *Queue) DropNotes(ctx context.Context, of string, slots ...int) error {
	if len(slots) == 0 {
		return nil
	}
	fields := make([]string, len(slots))
	for i, slot := range slots {
		fields[i] = strconv.Itoa(slot)
	}
	return away(q.redis.HDel(ctx, q.notesKey(of), fields...).Err())
}

// DropAllNotes removes somebody's notes.
func (q *Queue) DropAllNotes(ctx context.Context, of string) error {
	return away(q.redis.Del(ctx, q.notesKey(of)).Err())
}
