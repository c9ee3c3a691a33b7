package peppol

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"purr/models"
)

// Directory asks the network's public directory, where no DNS answers. Not every business lets itself be listed there.
type Directory struct {
	url    string
	client *http.Client
}

// NewDirectory returns the look-up in the directory at a URL; an empty one is the network's.
func NewDirectory(rawURL string) (*Directory, error) {
	rawURL = cmp.Or(rawURL, DirectoryURL)
	u, err := url.Parse(rawURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("must be a URL such as " + DirectoryURL)
	}
	return &Directory{strings.TrimRight(rawURL, "/"), registerClient(false)}, nil
}

// Ask implements Lookup.
func (d *Directory) Ask(ctx context.Context, organisationNumber string) (models.Reception, error) {
	id := ParticipantScheme + "::" + Participant(organisationNumber)
	body, found, err := get(ctx, d.client, d.url+"/search/1.0/json?participant="+url.QueryEscape(id))
	if err == nil && !found {
		err = errors.New("it answered 404 Not Found")
	}
	var answer directoryAnswer
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	if err == nil && answer.Total == nil {
		err = errors.New("its answer has another form")
	}
	if err != nil {
		return models.Reception{}, models.Unavailable("the network's directory", err)
	}
	return receives(organisationNumber, func(id string) bool { return answer.lists(Participant(organisationNumber), id) }), nil
}

type directoryAnswer struct {
	Total   *int `json:"total-result-count"`
	Matches []struct {
		ParticipantID struct{ Value string } `json:"participantID"`
		DocTypes      []struct{ Value string }
	}
}

// lists reports whether a participant is listed with a document type, which is given without its scheme.
func (a directoryAnswer) lists(participant, id string) bool {
	for _, m := range a.Matches {
		if !strings.EqualFold(m.ParticipantID.Value, participant) {
			continue
		}
		for _, t := range m.DocTypes {
			if strings.ToLower(strings.TrimPrefix(t.Value, documentScheme+"::")) == id {
				return true
			}
		}
	}
	return false
}
