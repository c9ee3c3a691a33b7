package guard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"purr/models"
)

const mostBytes = 1 << 20

func read(t *testing.T, b *Bodies, size int) (release func()) {
	t.Helper()
	data, release, err := b.Read(t.Context(), bytes.NewReader(make([]byte, size)))
	if err != nil || len(data) != size {
		t.Fatalf("a body of %d bytes: %d came, %v", size, len(data), err)
	}
	return release
}

// TestO9BodiesWaitForRoom holds that no more bodies are in memory than there is room for, that large ones do not delay
// small ones, and that one which has waited too long is refused in time.
func TestO9BodiesWaitForRoom(t *testing.T) {
	for _, size := range []int{mostBytes, smallBody} {
		synctest.Test(t, func(t *testing.T) {
			b := NewBodies(mostBytes)
			var releases []func()
			for range map[int]int{mostBytes: largeAtOnce, smallBody: smallAtOnce}[size] / size {
				releases = append(releases, read(t, b, size))
			}
			began := time.Now()
			_, _, err := b.Read(t.Context(), bytes.NewReader(make([]byte, size)))
			if models.KindOf(err) != models.KindUnavailable || time.Since(began) != bodyPatience {
				t.Errorf("one of %d bytes too many: %v after %s", size, err, time.Since(began))
			}
			other := map[int]int{mostBytes: smallBody, smallBody: mostBytes}[size]
			read(t, b, other)() // has room of its own
			if time.Since(began) != bodyPatience {
				t.Errorf("bodies of %d bytes wait for those of %d", other, size)
			}
			time.AfterFunc(time.Second, releases[0])
			read(t, b, size) // there is room again
			if waited := time.Since(began) - bodyPatience; waited != time.Second {
				t.Errorf("a body of %d bytes has waited for %s", size, waited)
			}
		})
	}
}

// TestO9SlowClientsDelayNobody holds that bodies which still arrive take no room of those that are there.
func TestO9SlowClientsDelayNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBodies(mostBytes)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		slow := func(sent int) {
			body, client := io.Pipe()
			context.AfterFunc(ctx, func() { client.CloseWithError(io.ErrUnexpectedEOF) })
			go func() { _, _ = client.Write(make([]byte, sent)) }() // and then no more
			go func() { _, _, _ = b.Read(ctx, body) }()
		}
		for range 1000 {
			slow(smallBody)
		}
		for range arrivingAtOnce/mostBytes - 1 {
			slow(smallBody + 1)
		}
		synctest.Wait()
		began := time.Now()
		read(t, b, 100)()
		read(t, b, mostBytes)()
		if waited := time.Since(began); waited > 0 {
			t.Errorf("two bodies have waited %s for those of slow clients", waited)
		}
		slow(smallBody + 1)
		synctest.Wait()
		read(t, b, smallBody)()
		if _, _, err := b.Read(t.Context(), bytes.NewReader(make([]byte, mostBytes))); models.KindOf(err) != models.KindUnavailable {
			t.Errorf("large bodies arrive without a bound: %v", err)
		}
		cancel()
		synctest.Wait()
		read(t, b, mostBytes)()
	})
}

func TestABodyThatEndsEarlyGivesItsRoomBack(t *testing.T) {
	t.Parallel()
	b := NewBodies(mostBytes)
	for range 2 * arrivingAtOnce / mostBytes {
		broken := io.MultiReader(strings.NewReader(strings.Repeat("x", smallBody+1)), &failing{})
		if _, _, err := b.Read(t.Context(), broken); models.KindOf(err) != models.KindMalformed {
			t.Fatalf("a body that breaks off: %v", err)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("reset") }
