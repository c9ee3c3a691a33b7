package guard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/sync/semaphore"

	"purr/models"
)

// smallBody is the most bytes of a body that is small. Nearly all bodies are.
const smallBody = 64 << 10

// The most bytes of bodies that are in memory at once. A body that was taken apart needs many times its bytes: up to 15
// times if it is large, and up to 50 times if it is small and consists of tags.
const (
	smallAtOnce    = 4 << 20  // of small bodies that are worked on
	largeAtOnce    = 8 << 20  // of large ones that are worked on
	arrivingAtOnce = 64 << 20 // of large ones that still arrive
)

// bodyPatience is how long a body waits for others. It is short, since the caller must have its answer within 20 seconds
// (rule O7).
const bodyPatience = 3 * time.Second

// Bodies bounds how many bodies are in memory at once. Large bodies never delay small ones. A small body whose client is
// slow delays nobody; a large one delays other large ones only, and no longer than Timeouts allows. Bodies is safe for
// concurrent use.
type Bodies struct {
	small, large, arriving *semaphore.Weighted // by bytes
	most                   int64
	patience               time.Duration
}

// NewBodies returns bounds for bodies of at most so many bytes.
func NewBodies(most int64) *Bodies {
	return &Bodies{
		small: semaphore.NewWeighted(smallAtOnce), large: semaphore.NewWeighted(largeAtOnce), arriving: semaphore.NewWeighted(arrivingAtOnce),
		most: most, patience: bodyPatience,
	}
}

// Read reads a whole body, which must have no more bytes than Bodies was made for. The caller calls release when it has
// done with the body and with all that was made of it. Read fails with models.KindUnavailable if too many other bodies
// are in memory.
func (b *Bodies) Read(ctx context.Context, body io.Reader) (data []byte, release func(), err error) {
	data, err = io.ReadAll(io.LimitReader(body, smallBody+1))
	if err != nil {
		return nil, nil, BrokenBody(err)
	}
	room := b.small
	if len(data) > smallBody {
		room = b.large
		if data, err = b.readRest(ctx, data, body); err != nil {
			return nil, nil, err
		}
	}
	size := int64(len(data))
	if err := b.await(ctx, room, size); err != nil {
		return nil, nil, err
	}
	return data, func() { room.Release(size) }, nil
}

// readRest returns the start of a large body with the rest of it.
func (b *Bodies) readRest(ctx context.Context, start []byte, body io.Reader) ([]byte, error) {
	if err := b.await(ctx, b.arriving, b.most); err != nil {
		return nil, err
	}
	defer b.arriving.Release(b.most)
	whole := bytes.NewBuffer(start)
	if _, err := whole.ReadFrom(body); err != nil {
		return nil, BrokenBody(err)
	}
	return whole.Bytes(), nil
}

// await waits for room, but not for long.
func (b *Bodies) await(ctx context.Context, room *semaphore.Weighted, size int64) error {
	waiting, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	err := room.Acquire(waiting, size)
	if err != nil && ctx.Err() == nil {
		return models.Unavailable("room for another body", errors.New("too many bodies are in memory"))
	}
	return err
}
