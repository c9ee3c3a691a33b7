package ipp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"purr/internal/address"
	"purr/models"
)

// Printer is a printer, or a queue of a print server. It is safe for concurrent use.
type Printer struct {
	uri       string // ipp or ipps
	address   string // the same as http or https
	user      string // empty if the printer asks for none
	password  string
	transport *http.Transport
	requests  atomic.Uint32
}

// Sides says whether a job is printed on both sides of the paper.
type Sides string

// The sides.
const (
	OneSided Sides = "one-sided"
	TwoSided Sides = "two-sided-long-edge"
)

// State is the state of a job (RFC 8011, section 5.3.7).
type State int32

// The states in which a job stays.
const (
	Canceled  State = 7
	Aborted   State = 8
	Completed State = 9
)

// Job is a job as the printer tells of it.
type Job struct {
	ID    int32
	Name  string
	State State
	Why   string        // job-state-reasons and job-state-message; may be empty
	Age   time.Duration // since it was made, by the printer's clock alone; 0 if the printer does not tell
	Over  time.Duration // since it was completed, canceled or aborted, likewise
}

// How long a printer may take: to answer, after it has got the whole document.
const answerTimeout = 60 * time.Second

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 4 << 20

// NewPrinter returns the printer at ipp://HOST:PORT/PATH, or ipps:// with TLS. It does not connect. The password
// is that of the user in ipp://USER@HOST:PORT/PATH.
func NewPrinter(raw, password string) (*Printer, error) {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "ipp" && u.Scheme != "ipps") || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("must be of the form ipp://HOST:PORT/ipp/print") // without the URL, which may hold a password
	}
	if _, has := u.User.Password(); has {
		return nil, errors.New("must hold no password")
	}
	p := &Printer{user: u.User.Username(), password: password, transport: &http.Transport{ForceAttemptHTTP2: false, MaxIdleConnsPerHost: 4, IdleConnTimeout: 10 * time.Second}}
	u.User = nil
	p.uri = u.String()
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "631")
	}
	u.Scheme = map[string]string{"ipp": "http", "ipps": "https"}[u.Scheme]
	p.address = u.String()
	return p, nil
}

// OnlyPublic lets only a public address be connected to. It is called before the printer is used.
func (p *Printer) OnlyPublic() { address.TransportToPublic(p.transport) }

// String returns the printer's URI, which holds no password.
func (p *Printer) String() string { return p.uri }

// GoString returns what String does, so that no form of printing shows the password.
func (p *Printer) GoString() string { return p.uri }

// StatusError is an answer that is no success (RFC 8011, appendix B).
type StatusError struct {
	Status  uint16
	Message string // the printer's words; may be empty
}

// Error names the status.
func (e *StatusError) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("the printer answered 0x%04x", e.Status)
	}
	return fmt.Sprintf("the printer answered 0x%04x: %s", e.Status, e.Message)
}

// The statuses that mean something to purr.
const (
	okBelow       = 0x0100
	forbidden     = 0x0401 // up to notAuthorized: who asks is refused
	notAuthorized = 0x0403
	notFound      = 0x0406
	serverErrors  = 0x0500 // up to 0x05ff
)

// requester is who prints, as printers list it.
const requester = "purr"

// Print prints a PDF, and returns the job. An error of models.KindUnavailable says that the printer cannot do it now, or
// that it did not answer: it may have the job nevertheless. A models.Refused says that it refuses the job.
func (p *Printer) Print(ctx context.Context, name string, sides Sides, pdf []byte) (Job, error) {
	m := p.request(printJob,
		textual(tagName, "job-name", name), textual(tagMedia, "document-format", "application/pdf"))
	m.groups = append(m.groups, group{jobGroup, []attribute{textual(tagKeyword, "sides", string(sides))}})
	answer, err := p.ask(ctx, m, pdf)
	if models.KindOf(err) == models.KindNotFound {
		return Job{}, models.Refuse(models.BlameSettings, err, "there is no printer at %s", p.uri)
	}
	if err != nil {
		return Job{}, err
	}
	jobs := jobsOf(answer)
	if len(jobs) != 1 {
		return Job{}, p.unavailable(errors.New("its answer names no job"))
	}
	return jobs[0], nil
}

// jobAttributes are those of which a Job is made.
var jobAttributes = textual(tagKeyword, "requested-attributes",
	"job-id", "job-name", "job-state", "job-state-reasons", "job-state-message", "time-at-creation", "time-at-completed", "job-printer-up-time")

// Job asks for a job. It fails with models.KindNotFound if the printer does not know it, or no longer.
func (p *Printer) Job(ctx context.Context, id int32) (Job, error) {
	answer, err := p.ask(ctx, p.request(getJobAttributes, number(tagInteger, "job-id", id), jobAttributes), nil)
	if err != nil {
		return Job{}, err
	}
	jobs := jobsOf(answer)
	if len(jobs) != 1 {
		return Job{}, p.unavailable(errors.New("its answer names no job"))
	}
	return jobs[0], nil
}

// Cancel cancels a job (RFC 8011, section 4.3.3). The printer may take its time: Job says what became of it. A
// models.Refused says that it cannot be canceled any more, or that the printer does not let it be.
func (p *Printer) Cancel(ctx context.Context, id int32) error {
	_, err := p.ask(ctx, p.request(cancelJob, number(tagInteger, "job-id", id)), nil)
	return err
}

// Jobs returns the jobs of a name that wait, are printed or are over, as far back as the printer knows them.
func (p *Printer) Jobs(ctx context.Context, name string) ([]Job, error) {
	var named []Job
	for _, which := range []string{"not-completed", "completed"} {
		answer, err := p.ask(ctx, p.request(getJobs, textual(tagKeyword, "which-jobs", which), boolean("my-jobs", false), jobAttributes), nil)
		if err != nil {
			return nil, err
		}
		for _, j := range jobsOf(answer) {
			if j.Name == name {
				named = append(named, j)
			}
		}
	}
	return named, nil
}

// stopped is the state of a printer that prints nothing (RFC 8011, section 5.4.11).
const stopped = 5

// Works returns nil if the printer answers, and accepts jobs.
func (p *Printer) Works(ctx context.Context) error {
	answer, err := p.ask(ctx, p.request(getPrinterAttributes,
		textual(tagKeyword, "requested-attributes", "printer-state", "printer-is-accepting-jobs")), nil)
	if err != nil {
		return err
	}
	for _, g := range answer.groups {
		state, _ := g.find("printer-state").number()
		if state == stopped || g.find("printer-is-accepting-jobs").text() == "\x00" {
			return p.unavailable(errors.New("it is stopped, or accepts no jobs"))
		}
	}
	return nil
}

// request returns a request with its first group. The charset, the language and the target must come first, in this order;
// a job's ID is a part of its target.
func (p *Printer) request(o Operation, further ...attribute) message {
	attributes := slices.Concat([]attribute{
		textual(tagCharset, "attributes-charset", "utf-8"), textual(tagLanguage, "attributes-natural-language", "en"),
		textual(tagURI, "printer-uri", p.uri),
	}, further, []attribute{textual(tagName, "requesting-user-name", requester)})
	return message{code: uint16(o), requestID: p.requests.Add(1), groups: []group{{operationGroup, attributes}}}
}

// ask sends a request, and returns the answer if it is a success.
func (p *Printer) ask(ctx context.Context, m message, document []byte) (message, error) {
	head, err := m.encode()
	if err != nil {
		return message{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address, io.MultiReader(bytes.NewReader(head), bytes.NewReader(document)))
	if err != nil {
		return message{}, err
	}
	r.ContentLength = int64(len(head) + len(document))
	r.Header.Set("Content-Type", "application/ipp")
	if p.user != "" {
		r.SetBasicAuth(p.user, p.password)
	}
	response, err := p.transport.RoundTrip(r)
	if err != nil {
		return message{}, p.unavailable(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return message{}, p.judgeHTTP(response)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return message{}, p.unavailable(err)
	}
	answer, err := decode(body)
	if err != nil {
		return message{}, p.unavailable(err)
	}
	if answer.requestID != m.requestID {
		return message{}, p.unavailable(errors.New("its answer is to another request"))
	}
	return answer, p.judge(answer)
}

// judge returns the error that an answer's status says.
func (p *Printer) judge(answer message) error {
	if answer.code < okBelow {
		return nil
	}
	failure := &StatusError{Status: answer.code}
	if len(answer.groups) > 0 {
		failure.Message = models.Foreign(answer.groups[0].find("status-message").text(), models.MaxReceipt)
	}
	switch {
	case answer.code == notFound:
		return &models.Error{Kind: models.KindNotFound, Code: "not_found", Msg: p.uri + " knows no such job", Err: failure}
	case answer.code >= serverErrors:
		return p.unavailable(failure)
	}
	blame := models.BlameRecipient
	if answer.code >= forbidden && answer.code <= notAuthorized {
		blame = models.BlameSettings
	}
	return models.Refuse(blame, failure, "%s refused it", p.uri)
}

// judgeHTTP returns the error that an answer of HTTP alone says: the request did not come to a printer.
func (p *Printer) judgeHTTP(response *http.Response) error {
	failure := errors.New("it answered HTTP " + models.Foreign(response.Status, models.MaxReceipt))
	if response.StatusCode/100 == 4 && response.StatusCode != http.StatusRequestTimeout && response.StatusCode != http.StatusTooManyRequests {
		return models.Refuse(models.BlameSettings, failure, "%s refused it", p.uri)
	}
	return p.unavailable(failure)
}

func (p *Printer) unavailable(err error) error { return models.Unavailable("the printer "+p.uri, err) }

// jobsOf returns the jobs in an answer.
func jobsOf(answer message) []Job {
	var jobs []Job
	for _, g := range answer.groups {
		id, is := g.find("job-id").number()
		if g.tag != jobGroup || !is {
			continue
		}
		state, _ := g.find("job-state").number()
		j := Job{ID: id, Name: g.find("job-name").text(), State: State(state), Why: g.find("job-state-reasons").text()}
		if said := g.find("job-state-message").text(); said != "" {
			j.Why += " (" + said + ")"
		}
		made, knowsMade := g.find("time-at-creation").number()
		now, knowsNow := g.find("job-printer-up-time").number()
		if knowsMade && knowsNow && now > made {
			j.Age = time.Duration(int64(now)-int64(made)) * time.Second
		}
		over, knowsOver := g.find("time-at-completed").number()
		if knowsOver && knowsNow && over > 0 && now > over {
			j.Over = time.Duration(int64(now)-int64(over)) * time.Second
		}
		jobs = append(jobs, j)
	}
	return jobs
}
