package jobs

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"purr/internal/clock"
)

const (
	// copyWithin is how long a copy waits for Redis, whose absence holds nothing up.
	copyWithin = time.Second
	// copyPause is how long Redis is not asked after it has not taken a copy.
	copyPause = 10 * time.Second
)

// copies are a worker's marks in Redis (rule K2a): where its machine dies with its disk, they are what is left. Redis is believed about
// nothing (rule O12): a copy is sealed with the worker's ID, which nothing in Redis names, and as any mark it says only what became of a
// row that this worker has in hand.
type copies struct {
	queue  *Queue
	worker string

	mu        sync.Mutex
	stale     map[int]bool // slots that Redis may have a copy in which is over
	notBefore time.Time    // when Redis is asked again
}

// place names the copies in Redis.
func (c *copies) place() string {
	sum := sha256.Sum256([]byte(c.worker))
	return hex.EncodeToString(sum[:16])
}

// seal returns the seal of a mark, in hexadecimal.
func (c *copies) seal(text []byte) string {
	mac := hmac.New(sha256.New, []byte(c.worker))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}

// set puts a copy of a mark into its slot. The one on the disk is enough if Redis is away.
func (c *copies) set(slot int, accepted mark) error {
	text, err := json.Marshal(accepted)
	if err != nil {
		return err
	}
	return c.change(slot, func(ctx context.Context) error {
		return c.queue.KeepNote(ctx, c.place(), slot, c.seal(text)+string(text))
	})
}

// clear takes the copy of a mark away, before its slot is free for another one. A row may come to the same attempt again once a person
// has it sent anew, so no copy of before may stay: what Redis does not take away now goes with the next change.
func (c *copies) clear(slot int) error {
	return c.change(slot, func(context.Context) error {
		c.stale[slot] = true
		return nil
	})
}

// change changes a slot, and takes away what is stale. Redis is asked by one at a time, and not for a while after it was away.
func (c *copies) change(slot int, do func(ctx context.Context) error) error {
	if c.queue.Private() || slot == noSlot {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stale == nil {
		c.stale = map[int]bool{}
	}
	c.stale[slot] = true // until Redis has the change
	if now := (clock.System{}).Now(); now.Before(c.notBefore) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), copyWithin)
	defer cancel()
	delete(c.stale, slot)
	err := do(ctx)
	if err != nil {
		c.stale[slot] = true
	} else if err = c.queue.DropNotes(ctx, c.place(), slices.Collect(maps.Keys(c.stale))...); err == nil {
		clear(c.stale)
	}
	if err != nil {
		c.notBefore = clock.System{}.Now().Add(copyPause)
	}
	return err
}

// read returns the marks that Redis has, without those that the worker has not sealed.
func (c *copies) read(ctx context.Context) (found []mark, forged int, err error) {
	if c.queue.Private() {
		return nil, 0, nil
	}
	notes, err := c.queue.Notes(ctx, c.place())
	if err != nil {
		return nil, 0, err
	}
	for _, note := range notes {
		const sealed = 2 * sha256.Size
		text := []byte(note[min(sealed, len(note)):])
		var m mark
		if !hmac.Equal([]byte(note[:len(note)-len(text)]), []byte(c.seal(text))) || json.Unmarshal(text, &m) != nil {
			forged++
			continue
		}
		found = append(found, m)
	}
	return found, forged, nil
}

// drop removes the copies of a worker that has ended. Those that Redis does not remove end by themselves.
func (c *copies) drop(ctx context.Context) {
	if c.queue.Private() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), copyWithin)
	defer cancel()
	_ = c.queue.DropAllNotes(ctx, c.place())
}

// marksOf returns what a dead worker has marked: on the disk, or in Redis where the disk is gone. Then Redis must answer.
func (h *Holder) marksOf(ctx context.Context, worker string) ([]mark, error) {
	found, err := readMarks(h.path(worker))
	if !errors.Is(err, os.ErrNotExist) {
		return found, err
	}
	found, forged, err := (&copies{queue: h.queue, worker: worker}).read(ctx)
	if err != nil {
		return nil, err
	}
	if forged > 0 {
		h.log.Error("Redis has marks of a dead worker that it has not made; they are believed in nothing", "worker", worker, "marks", forged)
	}
	return found, nil
}
