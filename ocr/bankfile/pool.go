package bankfile

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// pool gives each value of a kind another one: the same for the same, different ones for different ones, and none
// that is in the file. Where the kind has too few values for that, it may give one that is in the file, and in the end
// one that it has given before, but never the same one.
type pool[T comparable] struct {
	key    [32]byte
	bytes  func(T) []byte // what the random numbers for a value come from
	invent func(rng *rand.Rand, try int, old T) T
	fresh  map[T]T // by what was there
	known  sums    // that are in the file
	given  sums
}

// sums holds values by the first bytes of their sums. One that is not in it may seem to be, and another is then tried.
type sums map[uint64]struct{}

func (s sums) has(sum [32]byte) bool {
	_, has := s[binary.BigEndian.Uint64(sum[:])]
	return has
}

func (s sums) add(sum [32]byte) { s[binary.BigEndian.Uint64(sum[:])] = struct{}{} }

func newPool[T comparable](key Key, kind string, bytes func(T) []byte, invent func(*rand.Rand, int, T) T) *pool[T] {
	return &pool[T]{key: sha256.Sum256(append(key[:], kind...)), bytes: bytes, invent: invent, fresh: map[T]T{}, known: sums{}, given: sums{}}
}

func (p *pool[T]) sum(value T) [32]byte { return sha256.Sum256(append(p.key[:], p.bytes(value)...)) }

// know takes a value that is in the file.
func (p *pool[T]) know(value T) { p.known.add(p.sum(value)) }

// How often a value is made up before it may be one that is in the file, or one that was given.
const (
	triesForStrange = 50
	triesForNew     = 500
	triesForOther   = 1000
)

// of returns what a value becomes. It depends on the key and the value, and next to never on what else is in the file:
// files that are made over with the same key still have in common what they had.
func (p *pool[T]) of(old T) T {
	if fresh, known := p.fresh[old]; known {
		return fresh
	}
	rng := rand.New(rand.NewChaCha8(p.sum(old)))
	fresh := old
	for try := range triesForOther {
		fresh = p.invent(rng, try, old)
		sum := p.sum(fresh)
		if fresh != old && (!p.given.has(sum) || try > triesForNew) && (!p.known.has(sum) || try > triesForStrange) {
			p.given.add(sum)
			break
		}
	}
	p.fresh[old] = fresh
	return fresh
}
