package console

import (
	"errors"
	"net/http"
	"path"

	"purr/api/guard"
	"purr/models"
)

// problemPage says that a request could not be done, and what to do next.
type problemPage struct {
	view
	Status    int
	RequestID string // where only the log says what went wrong
	Back      string // where the form stood whose act was refused; empty if nobody knows
}

// problem answers a request that failed. Of an internal failure the page tells only the request's ID.
func (rq *request) problem(failure error) reply {
	kind := models.KindOf(failure)
	status := guard.StatusOf(kind)
	p := &problemPage{view: rq.view(problemTitle(kind)), Status: status}
	if kind == models.KindInternal {
		p.RequestID = rq.id
	} else {
		p.Faults = rq.faults(failure)
	}
	if kind == models.KindConflict {
		p.Back = rq.back("")
	}
	drawn, err := rq.draw(reply{status: status, page: "problem", data: p})
	if err != nil {
		drawn = reply{status: http.StatusInternalServerError, contentType: "text/plain; charset=utf-8", body: []byte("something went wrong: " + rq.id)}
		failure = errors.Join(failure, err)
	}
	drawn.refuse(failure)
	return drawn
}

// problemTitle returns the word for a kind of failure.
func problemTitle(kind models.Kind) string {
	switch kind { //nolint:exhaustive // the others share the last word
	case models.KindInternal:
		return "problem.internal"
	case models.KindForbidden:
		return "problem.forbidden"
	case models.KindNotFound:
		return "problem.not_found"
	case models.KindConflict:
		return "problem.conflict"
	case models.KindTooMany:
		return "problem.too_many"
	case models.KindUnavailable, models.KindFull:
		return "problem.unavailable"
	}
	return "problem.refused"
}

// fault is one thing that is wrong with what was sent.
type fault struct {
	Field   string // the name of the form's field; empty for the form as a whole
	Text    string
	English bool // the text is there in English alone
}

// faults returns what is wrong, in the reader's language where the catalogue knows the fault by its code.
func (rq *request) faults(err error) []fault {
	var several models.Errors
	var one *models.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &several):
	case errors.As(err, &one):
		several = models.Errors{one}
	default:
		return []fault{{Text: rq.words.Say("problem.internal")}}
	}
	if len(several) > models.MaxFaults {
		several = several[:models.MaxFaults]
	}
	shown := make([]fault, len(several))
	for i, e := range several {
		shown[i] = rq.fault(e)
	}
	return shown
}

func (rq *request) fault(e *models.Error) fault {
	f := fault{Field: rq.fieldOf(e), Text: models.Shorten(e.Msg, maxFault), English: rq.words.Language != "en"}
	texts := []string{"fault." + e.Code + "." + path.Base(f.Field), "fault." + e.Code}
	if f.English { // what the domain says in English may say more
		texts = append(texts, "told."+e.Code)
	}
	for _, key := range texts {
		if rq.words.Knows(key) {
			f.Text, f.English = rq.words.Say(key), false
			break
		}
	}
	if e.Code == "scope_insufficient" && rq.lacks != "" {
		f.Text, f.English = rq.needs(rq.lacks), false
	}
	if e.Change != nil {
		f.Text += " " + rq.told(*e.Change)
	}
	return f
}

// fieldAtPlace returns the field that is named as the fault's place is written.
func fieldAtPlace(e *models.Error) string { return e.Place.String() }

// maxFault is the most characters of a fault that a page shows.
const maxFault = 1000

// faultsIn returns the single faults of an error that a Validate method returned.
func faultsIn(err error) models.Errors {
	var several models.Errors
	if errors.As(err, &several) {
		return several
	}
	var one *models.Error
	if errors.As(err, &one) {
		return models.Errors{one}
	}
	return nil
}
