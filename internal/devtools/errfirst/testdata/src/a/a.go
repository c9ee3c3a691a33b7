// Package a holds what the analyzer reports, and what it leaves alone.
package a

import (
	"bufio"
	"errors"
	"io"
)

type thing struct{ field int }

func (*thing) close() {}

func get() (*thing, error)         { return nil, errors.New("none") }
func look() (int, bool, error)     { return 0, false, nil }
func wrap(err error) error         { return err }
func pass(x *thing, err error) int { return 0 }

func field() (int, error) {
	x, err := get()
	return x.field, err // want `x is used before the error that came with it was looked at`
}

func computed() (int, error) {
	n, _, err := look()
	return n + 1, err // want `n is used before`
}

func statement() error {
	x, err := get()
	x.close() // want `x is used before`
	return err
}

func deferred() error {
	x, err := get()
	defer x.close() // want `x is used before`
	if err != nil {
		return err
	}
	return nil
}

func flag() int {
	n, ok, err := look()
	if ok { // want `ok is used before`
		return n // want `n is used before`
	}
	if err != nil {
		return 0
	}
	return n
}

func condition() bool {
	x, err := get()
	return x.field > 0 && err == nil // want `x is used before`
}

func initial() int {
	if x, err := get(); x.field > 0 { // want `x is used before`
		return 1
	} else if err != nil {
		return 2
	}
	return 0
}

func branches(one bool) int {
	var x *thing
	var err error
	if one {
		x, err = get()
	} else {
		x, err = get()
		if err != nil {
			return 0
		}
	}
	n := x.field // want `x is used before`
	if err != nil {
		return 0
	}
	return n
}

func appended(all []*thing) ([]*thing, error) {
	x, err := get()
	all = append(all, x) // want `x is used before`
	return all, err
}

func checked() (int, error) {
	x, err := get()
	if err != nil {
		return 0, err
	}
	return x.field, nil
}

func passed() (*thing, error) {
	x, err := get()
	return x, wrap(err)
}

func converted() (int64, error) {
	n, _, err := look()
	return int64(n), err
}

func passedOn() int {
	x, err := get()
	return pass(x, err)
}

func unrelated() (int, error) {
	n := 1
	x, err := get()
	n++
	if err != nil || x.field > n {
		return 0, err
	}
	return n, nil
}

func compared() bool {
	x, err := get()
	return x != nil && err == nil
}

func switched() int {
	n, ok, err := look()
	switch {
	case err != nil:
		return 0
	case ok:
		return n
	}
	return 1
}

func ignored() int {
	x, _ := get()
	return x.field
}

func again() (int, error) {
	x, err := get()
	x, err = get()
	if err != nil {
		return 0, err
	}
	return x.field, nil
}

func read(r *bufio.Reader, p []byte) (string, error) {
	n, err := r.Read(p)
	p = p[:n]
	if err != nil {
		return string(p), err
	}
	line, err := r.ReadString('\n')
	if line != "" {
		return line, nil
	}
	k, err := io.ReadFull(r, p)
	return string(p[:k]), err
}
