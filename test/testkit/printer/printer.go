// Package printer is a printer for tests. It speaks as much IPP as purr asks for, written a second time: it shares no code
// with package mailer/letters/ipp.
package printer

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/internal/clock"
)

// The operations.
const (
	Print   = 0x0002
	Cancel  = 0x0008
	AskJob  = 0x0009
	AskJobs = 0x000a
	AskSelf = 0x000b
)

// The states of jobs.
const (
	Pending    = 3
	Processing = 5
	Canceled   = 7
	Aborted    = 8
	Completed  = 9
)

// Fault is what goes wrong with a request.
type Fault struct {
	Status  uint16 // it is answered so, and nothing else happens
	Silent  bool   // the printer hangs up
	Taken   bool   // it does so only after it has done what was asked
	State   int32  // all jobs are found to have this state since a minute
	Untold  bool   // it does not tell since when
	Garbage bool   // it answers what is no IPP
	HTTP    int    // it answers so, without any IPP
}

// Job is a job that the printer was given.
type Job struct {
	ID     int32
	Name   string
	User   string
	Format string
	Sides  string
	PDF    []byte
	State  int32
	Made   time.Time
	Over   time.Time // when it got a state in which it stays, zero before
}

// Printer is a printer.
type Printer struct {
	URL string // ipp://…

	mu    sync.Mutex
	jobs  []Job
	asked []uint16
	fault func(operation uint16) Fault
	state int32 // of new jobs
}

// Start starts a printer, which prints nothing by itself: see Finish.
func Start(t testing.TB) *Printer {
	t.Helper()
	p := &Printer{state: Processing}
	server := httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(server.Close)
	p.URL = "ipp" + strings.TrimPrefix(server.URL, "http") + "/ipp/print"
	return p
}

// Fail lets requests go wrong from now on; nil lets all go well.
func (p *Printer) Fail(fault func(operation uint16) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = fault
}

// Finish gives all jobs, and those to come, a state.
func (p *Printer) Finish(state int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = state
	for i := range p.jobs {
		p.jobs[i].become(state)
	}
}

// Take gives the jobs to come a state.
func (p *Printer) Take(state int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = state
}

// Age lets all that happened to jobs so far have happened longer ago.
func (p *Printer) Age(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.jobs {
		j := &p.jobs[i]
		j.Made = j.Made.Add(-by)
		if !j.Over.IsZero() {
			j.Over = j.Over.Add(-by)
		}
	}
}

// become gives a job a state.
func (j *Job) become(state int32) {
	if j.State = state; state >= Canceled {
		j.Over = clock.System{}.Now()
	} else {
		j.Over = time.Time{}
	}
}

// Jobs returns all jobs.
func (p *Printer) Jobs() []Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.jobs)
}

// Asked returns the operations of all requests so far.
func (p *Printer) Asked() []uint16 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *Printer) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) < 9 || r.Header.Get("Content-Type") != "application/ipp" || r.Method != http.MethodPost {
		http.Error(w, "no IPP", http.StatusBadRequest)
		return
	}
	operation, id := binary.BigEndian.Uint16(body[2:]), body[4:8]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, operation)
	var f Fault
	if p.fault != nil {
		f = p.fault(operation)
	}
	for i := range p.jobs {
		if f.State != 0 {
			p.jobs[i].become(f.State)
			p.jobs[i].Over = p.jobs[i].Over.Add(-time.Minute)
			if f.Untold {
				p.jobs[i].Over = time.Time{}
			}
		}
	}
	if f.Silent && !f.Taken {
		panic(http.ErrAbortHandler)
	}
	if f.HTTP != 0 {
		w.WriteHeader(f.HTTP)
		return
	}
	if f.Garbage {
		_, _ = w.Write([]byte("\x02\x00\x00\x00\x01<html>"))
		return
	}
	status, groups := f.Status, []byte(nil)
	if status == 0 {
		status, groups = p.do(operation, body)
	}
	if f.Silent {
		panic(http.ErrAbortHandler)
	}
	answer := binary.BigEndian.AppendUint16([]byte{2, 0}, status)
	answer = append(append(answer, id...), 1)
	answer = attribute(answer, 0x47, "attributes-charset", "utf-8")
	answer = attribute(answer, 0x48, "attributes-natural-language", "en")
	if status >= 0x0100 {
		answer = attribute(answer, 0x41, "status-message", "so it is")
	}
	w.Header().Set("Content-Type", "application/ipp")
	_, _ = w.Write(append(append(answer, groups...), 3))
}

func (p *Printer) do(operation uint16, body []byte) (status uint16, groups []byte) {
	asked, document := parse(body)
	switch operation {
	case Print:
		j := Job{
			ID: int32(len(p.jobs) + 1), Name: asked["job-name"], User: asked["requesting-user-name"], Format: asked["document-format"], //nolint:gosec // few
			Sides: asked["sides"], PDF: document, Made: clock.System{}.Now(),
		}
		j.become(p.state)
		p.jobs = append(p.jobs, j)
		return 0, describe(nil, j)
	case Cancel:
		for i := range p.jobs {
			j := &p.jobs[i]
			switch {
			case asked["job-id"] != string(binary.BigEndian.AppendUint32(nil, uint32(j.ID))): //nolint:gosec // positive
			case j.State >= Canceled:
				return 0x0404, nil
			default:
				j.become(Canceled)
				return 0, nil
			}
		}
		return 0x0406, nil
	case AskJob:
		for _, j := range p.jobs {
			if asked["job-id"] == string(binary.BigEndian.AppendUint32(nil, uint32(j.ID))) { //nolint:gosec // positive
				return 0, describe(nil, j)
			}
		}
		return 0x0406, nil
	case AskJobs:
		for _, j := range p.jobs {
			if over := j.State >= Canceled; over == (asked["which-jobs"] == "completed") {
				groups = describe(groups, j)
			}
		}
		return 0, groups
	case AskSelf:
		return 0, attribute(attribute([]byte{4}, 0x23, "printer-state", "\x00\x00\x00\x03"), 0x22, "printer-is-accepting-jobs", "\x01")
	}
	return 0x0501, nil
}

// up is the moment at which all printers began.
var up = clock.System{}.Now().Add(-time.Hour)

func describe(groups []byte, j Job) []byte {
	number := func(n int64) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) } //nolint:gosec // positive
	groups = append(groups, 2)
	groups = attribute(groups, 0x21, "job-id", number(int64(j.ID)))
	groups = attribute(groups, 0x42, "job-name", j.Name)
	groups = attribute(groups, 0x23, "job-state", number(int64(j.State)))
	groups = attribute(groups, 0x44, "job-state-reasons", "none")
	groups = attribute(groups, 0x21, "time-at-creation", number(int64(j.Made.Sub(up).Seconds())))
	if !j.Over.IsZero() {
		groups = attribute(groups, 0x21, "time-at-completed", number(int64(j.Over.Sub(up).Seconds())))
	}
	return attribute(groups, 0x21, "job-printer-up-time", number(int64(clock.System{}.Now().Sub(up).Seconds())))
}

func attribute(to []byte, tag byte, name, value string) []byte {
	to = append(to, tag)
	for _, s := range []string{name, value} {
		to = append(binary.BigEndian.AppendUint16(to, uint16(len(s))), s...) //nolint:gosec // short
	}
	return to
}

// parse returns the first values of a request's attributes by name, and the document behind them.
func parse(body []byte) (asked map[string]string, document []byte) {
	asked = map[string]string{}
	in := bytes.NewBuffer(body[8:])
	next := func() string { return string(in.Next(int(binary.BigEndian.Uint16(in.Next(2))))) }
	for {
		tag, err := in.ReadByte()
		if err != nil || tag == 3 {
			return asked, in.Bytes()
		}
		if tag < 0x10 {
			continue
		}
		name, value := next(), next()
		if name != "" {
			asked[name] = value
		}
	}
}
