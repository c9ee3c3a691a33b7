package models

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what sort of failure an error is. The HTTP answers and the background jobs decide by the kind alone.
type Kind int

// The kinds of failure. An error without a kind counts as KindInternal.
const (
	KindInternal      Kind = iota // a fault of the program; the text never leaves it
	KindMalformed                 // the request cannot be read: XML, query parameter, file
	KindInvalid                   // readable, but its content breaks a rule
	KindUnauthorized              // no key, or a wrong one
	KindForbidden                 // the key's scope does not allow it
	KindNotFound                  // the creditor has no such thing
	KindConflict                  // the state of the thing forbids the request
	KindTooLarge                  // more bytes than the program accepts
	KindNotAcceptable             // an Accept that no answer meets
	KindMediaType                 // a Content-Type that the program does not accept
	KindTooMany                   // too many calls
	KindUnavailable               // a needed server does not answer; trying again helps
	KindFull                      // the disk is nearly full; trying again helps once there is room
)

// Error is an error of a known kind: Code and Msg are for the caller (rule D5), Err for the log. It never changes once it is made,
// since many requests may share it: what tells more of it is a copy.
type Error struct {
	Kind  Kind
	Code  string // lower_snake_case, never changed once published
	Place Place  // inside the body, or the query parameter; empty for the whole
	Msg   string // for a person, without inner details
	Err   error  // the cause, if any; never shown to a caller

	Change *Change // what was done meanwhile, of a conflict with somebody else's act; may be nil (rule D115)
}

// Error returns the place, the message and the cause, for logs and the command line.
func (e *Error) Error() string {
	var b strings.Builder
	if len(e.Place) > 0 {
		b.WriteString(e.Place.String() + ": ")
	}
	b.WriteString(e.Msg)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Under returns a copy of the error whose place is below another one.
func (e *Error) Under(above Place) *Error {
	moved := *e
	moved.Place = e.Place.Under(above)
	return &moved
}

// At returns a copy of the error with another place.
func (e *Error) At(place Place) *Error {
	moved := *e
	moved.Place = place
	return &moved
}

// AsMalformed returns a copy of the error that is of KindMalformed.
func (e *Error) AsMalformed() *Error {
	of := *e
	of.Kind = KindMalformed
	return &of
}

// Errors is every fault found in one request or file, all of the same kind. It is never empty.
type Errors []*Error

// MaxFaults is the most faults that a caller is told of one request or file (rule O9).
const MaxFaults = 200

// Error joins the faults with "; ".
func (es Errors) Error() string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap gives the single faults to errors.Is and errors.As.
func (es Errors) Unwrap() []error {
	errs := make([]error, len(es))
	for i, e := range es {
		errs[i] = e
	}
	return errs
}

// ErrorOrNil returns the faults as an error, or nil if there are none.
func (es Errors) ErrorOrNil() error {
	if len(es) == 0 {
		return nil
	}
	return es
}

// Under returns copies of the faults whose places are below another one.
func (es Errors) Under(above Place) Errors {
	moved := make(Errors, len(es))
	for i, e := range es {
		moved[i] = e.Under(above)
	}
	return moved
}

// Add appends a fault of KindInvalid for the field; an empty one stands for the whole.
func (es *Errors) Add(code, field, format string, args ...any) {
	*es = append(*es, Invalid(code, field, format, args...))
}

// Invalid returns an error of KindInvalid for the field.
func Invalid(code, field, format string, args ...any) *Error {
	return newError(KindInvalid, code, field, fmt.Sprintf(format, args...))
}

// Malformed returns an error of KindMalformed for the field.
func Malformed(code, field, format string, args ...any) *Error {
	return newError(KindMalformed, code, field, fmt.Sprintf(format, args...))
}

func newError(kind Kind, code, field, msg string) *Error {
	e := &Error{Kind: kind, Code: code, Msg: msg}
	if field != "" {
		e.Place = At(field)
	}
	return e
}

// Conflict returns an error of KindConflict.
func Conflict(code, format string, args ...any) *Error {
	return &Error{Kind: KindConflict, Code: code, Msg: fmt.Sprintf(format, args...)}
}

// NotFound returns an error of KindNotFound that names what was not found.
func NotFound(what string) *Error {
	return &Error{Kind: KindNotFound, Code: "not_found", Msg: "no such " + what}
}

// Unavailable returns an error of KindUnavailable that keeps its cause.
func Unavailable(what string, err error) *Error {
	return &Error{Kind: KindUnavailable, Code: "unavailable", Msg: what + " is not available; try again shortly", Err: err}
}

// IgnoreNotFound returns nil for an error of KindNotFound, and any other error as it is.
func IgnoreNotFound(err error) error {
	if KindOf(err) == KindNotFound {
		return nil
	}
	return err
}

// KindOf returns the kind of the first Error in err's chain, or KindInternal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindInternal
}
