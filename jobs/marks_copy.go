package jobs

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
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
// row that this worker has in hand. A copy is never taken away before the worker's end: the next one in its slot takes its place, and a
// row knows an old one by its attempt.
type copies struct {
	queue  *Queue
	worker string

	mu        sync.Mutex
	notBefore time.Time // when Redis is asked again
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
	if c.queue.Private() || slot == noSlot {
		return nil
	}
	c.mu.Lock()
	away := clock.System{}.Now().Before(c.notBefore)
	c.mu.Unlock()
	if away {
		return nil
	}
	text, err := json.Marshal(accepted)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), copyWithin)
	defer cancel()
	if err = c.queue.KeepNote(ctx, c.place(), slot, c.seal(text)+string(text)); err != nil {
		c.mu.Lock()
		c.notBefore = clock.System{}.Now().Add(copyPause)
		c.mu.Unlock()
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
	_ = c.queue.DropNotes(ctx, c.place())
}

// marksOf returns what a dead worker has marked, on the disk and in Redis. Either is enough; if the disk is gone, Redis must answer.
func (h *Holder) marksOf(ctx context.Context, worker string) ([]mark, error) {
	found, err := readMarks(h.path(worker))
	gone := errors.Is(err, os.ErrNotExist)
	if err != nil && !gone {
		return nil, err
	}
	copied, forged, err := (&copies{queue: h.queue, worker: worker}).read(ctx)
	if err != nil && gone {
		return nil, err
	}
	if forged > 0 {
		h.log.Error("Redis has marks of a dead worker that it has not made; they are believed in nothing", "worker", worker, "marks", forged)
	}
	known := map[markedAttempt]bool{}
	for _, m := range found {
		known[m.attempt()] = true
	}
	for _, m := range copied {
		if !known[m.attempt()] {
			found = append(found, m)
		}
	}
	return found, nil
}

// markedAttempt is what a mark tells of.
type markedAttempt struct {
	kind           string
	creditorID, id int64
	attempt        int
}

func (m mark) attempt() markedAttempt { return markedAttempt{m.Kind, m.CreditorID, m.ID, m.Attempt} }
