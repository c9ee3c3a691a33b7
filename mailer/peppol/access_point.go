package peppol

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"purr/mailer"
	"purr/models"
)

// AccessPoint is the REST interface of phoss-ap, an access point that one runs oneself or has run (rule H3a). It takes the
// instance ID as a document's name, so it can be asked for it. It is safe for concurrent use.
type AccessPoint struct {
	base      string // without a slash at its end
	secret    string
	enveloped bool
	client    *http.Client
}

const (
	accessPointScheme  = "phoss-ap+"
	accessPointTimeout = time.Minute // it answers a submission only when the receiver has the document
	maxAnswer          = 64 << 10    // bytes of an answer that are read
)

// NewAccessPoint returns the channel to the access point at phoss-ap+http(s)://HOST/BASE. It does not connect.
func NewAccessPoint(rawURL, secret string, enveloped bool) (*AccessPoint, error) {
	u, err := url.Parse(strings.TrimPrefix(rawURL, accessPointScheme))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("must be a URL such as phoss-ap+https://ap.example.no, without a user or a query")
	}
	if strings.ContainsAny(secret, "\r\n") {
		return nil, errors.New("the secret must be one line")
	}
	client := &http.Client{
		Timeout:       accessPointTimeout,
		Transport:     &http.Transport{ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the token goes nowhere else
	}
	return &AccessPoint{strings.TrimRight(u.String(), "/"), secret, enveloped, client}, nil
}

// Check returns nil if the access point answers, without sending it anything.
func (a *AccessPoint) Check(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, a.base+"/", nil)
	if err != nil {
		return err
	}
	response, err := a.client.Do(request)
	if err != nil {
		return models.Unavailable("the access point", err)
	}
	if response.StatusCode >= http.StatusInternalServerError {
		err = models.Unavailable("the access point", errors.New("it answered "+response.Status))
	}
	return errors.Join(err, response.Body.Close())
}

// HandOver submits the document, and waits until the receiver's access point has it. The receipt is the instance ID.
func (a *AccessPoint) HandOver(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	document, err := content(p, a.enveloped)
	if err != nil {
		return mailer.Answer{}, err
	}
	if err := p.Leave(); err != nil {
		return mailer.Answer{}, err
	}
	answer, err := a.call(ctx, http.MethodPost, a.submission(p), document)
	if err != nil {
		return mailer.Answer{}, err
	}
	if answer.status/100 == 2 && answer.isPage() {
		return mailer.Answer{}, models.Unavailable("the access point", errors.New("a web page answers in its place"))
	}
	switch answer.status {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return mailer.Answer{Receipt: p.InstanceID}, nil
	case http.StatusAccepted:
		return mailer.Answer{Receipt: p.InstanceID, Pending: true}, nil
	case http.StatusUnprocessableEntity:
		return mailer.Answer{}, models.Refuse(models.BlameRecipient, nil, "the access point could not send it: %s", answer)
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return mailer.Answer{}, models.Unavailable("the access point", answer.away())
	}
	if answer.status >= http.StatusInternalServerError {
		return mailer.Answer{}, models.Unavailable("the access point", answer.away())
	}
	return mailer.Answer{}, models.Refuse(models.BlameSettings, nil, "the access point refuses it: %s", answer)
}

// submission returns the path of a document that is submitted.
func (a *AccessPoint) submission(p mailer.Parcel) string {
	if a.enveloped {
		return "/api/outbound/submit-sbd"
	}
	t := TypeOf(p.DocumentKind)
	path := "/api/outbound/submit"
	for _, id := range []string{
		ParticipantScheme + "::" + Participant(p.EHF.Sender), ParticipantScheme + "::" + Participant(p.Recipient.OrganisationNumber),
		documentScheme + "::" + t.ID, processScheme + "::" + t.Process, senderCountry,
	} {
		path += "/" + url.PathEscape(id)
	}
	return path + "?sbdhInstanceID=" + p.InstanceID
}

// The states of a document that are final, as phoss-ap calls them. In every other state it goes on by itself.
const (
	stateSent     = "sent"
	stateRejected = "rejected"
	stateFailed   = "permanently_failed"
)

// Ask asks for the state of the document with the instance ID.
func (a *AccessPoint) Ask(ctx context.Context, p mailer.Parcel) (mailer.Answer, error) {
	answer, err := a.call(ctx, http.MethodGet, "/api/outbound/status/"+p.InstanceID, nil)
	if err != nil {
		return mailer.Answer{}, err
	}
	switch answer.status {
	case http.StatusOK:
	case http.StatusNotFound:
		return mailer.Answer{}, models.NotFound("document at the access point")
	case http.StatusUnauthorized, http.StatusForbidden: // it would not let the document in either (rule D107)
		return mailer.Answer{}, models.Refuse(models.BlameSettings, nil, "the access point refuses it: %s", answer)
	default:
		return mailer.Answer{}, models.Unavailable("the access point", answer.away())
	}
	var now struct{ Status, ErrorDetails string }
	if err := json.Unmarshal(answer.body, &now); err != nil || now.Status == "" {
		return mailer.Answer{}, models.Unavailable("the access point", errors.New("its answer tells no status"))
	}
	switch strings.ToLower(now.Status) {
	case stateSent:
		return mailer.Answer{Receipt: p.InstanceID}, nil
	case stateRejected, stateFailed:
		return mailer.Answer{}, models.Refuse(models.BlameRecipient, nil, "the access point could not send it: %s %s", now.Status, now.ErrorDetails)
	}
	return mailer.Answer{Receipt: p.InstanceID, Pending: true}, nil
}

// reply is an answer of an access point.
type reply struct {
	status int
	body   []byte
}

// String returns the status and the beginning of the body.
func (r reply) String() string {
	return fmt.Sprintf("%d %s", r.status, models.Shorten(strings.Join(strings.Fields(string(r.body)), " "), models.MaxReason))
}

// away says that no answer came that decides. It leaves out the body: logs show it, and the body may repeat the document.
func (r reply) away() error { return fmt.Errorf("it answered %d", r.status) }

// isPage reports whether it is a web page: that of a proxy's sign-in, or of another server. No access point has the document
// then.
func (r reply) isPage() bool {
	mediaType, _, err := mime.ParseMediaType(http.DetectContentType(r.body))
	return err == nil && mediaType == "text/html"
}

// call sends a request, and reads its answer.
func (a *AccessPoint) call(ctx context.Context, method, path string, body []byte) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, method, a.base+path, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if a.secret != "" {
		request.Header.Set("X-Token", a.secret)
	}
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/xml")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return reply{}, models.Unavailable("the access point", err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil { // what it meant to say is unknown; it is asked
		return reply{}, models.Unavailable("the access point", err)
	}
	return reply{response.StatusCode, read}, nil
}
