package api

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// preference is how much a request wants an answer in one form, and by how exact a word of its Accept.
type preference struct {
	quality float64
	exact   int  // 2 for the media type itself, 1 for application/*, 0 for */*
	said    bool // a range of the Accept matches
}

// wantsJSON reports whether a request is to be answered in JSON (rule J1). Its Accept decides, as RFC 9110 (section 12.5.1) has it. Where
// it prefers neither form, a body in JSON is answered in JSON, and any other request in XML; sent says that the body is in JSON. It
// reports acceptable as false if the Accept names one of the forms, and takes neither. One that names neither is an old client's, and is
// answered in XML.
func wantsJSON(r *http.Request, sent bool) (json, acceptable bool) {
	var ofJSON, ofXML preference
	names := false
	for _, header := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(header, ",") {
			media, quality, good := acceptRange(part)
			if !good {
				continue
			}
			names = names || media == "application/json" || media == "application/problem+json" || media == "application/xml" || media == "text/xml"
			ofJSON.match(media, quality, "application/json", "application/problem+json")
			ofXML.match(media, quality, "application/xml", "text/xml")
		}
	}
	switch {
	case !ofJSON.said && !ofXML.said:
		return sent, !names
	case ofJSON.quality == 0 && ofXML.quality == 0:
		return sent, !names
	case ofJSON.quality != ofXML.quality:
		return ofJSON.quality > ofXML.quality, true
	case ofJSON.exact != ofXML.exact:
		return ofJSON.exact > ofXML.exact, true
	}
	return sent, true
}

// match takes a range of an Accept. Of those that match, the most exact counts; of equally exact ones the one that wants the form most.
func (p *preference) match(media string, quality float64, types ...string) {
	exact := -1
	for _, t := range types {
		switch {
		case media == t:
			exact = 2
		case media == "application/*" && strings.HasPrefix(t, "application/"), media == "text/*" && strings.HasPrefix(t, "text/"):
			exact = max(exact, 1)
		case media == "*/*":
			exact = max(exact, 0)
		}
	}
	if exact < 0 {
		return
	}
	if !p.said || exact > p.exact || exact == p.exact && quality > p.quality {
		*p = preference{quality, exact, true}
	}
}

// acceptRange reads one range of an Accept. It reports false if it cannot be read.
func acceptRange(text string) (media string, quality float64, good bool) {
	media, params, err := mime.ParseMediaType(text)
	if err != nil || !strings.Contains(media, "/") {
		return "", 0, false
	}
	quality = 1
	if q, there := params["q"]; there {
		if quality, err = strconv.ParseFloat(q, 64); err != nil || !(quality >= 0 && quality <= 1) {
			return "", 0, false
		}
	}
	return media, quality, true
}

// isJSON reports whether a Content-Type is that of JSON.
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == "application/json"
}
