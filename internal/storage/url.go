package storage

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Location is what a URL of storage names: a folder of this machine, or what lies below a prefix of a bucket.
type Location struct {
	Path     string // of the folder; empty for a bucket
	Bucket   string // empty for a folder
	Prefix   string // without a slash at its ends; may be empty
	Region   string // empty for the one that the environment names
	Endpoint string // http:// or https:// and HOST:PORT of a server that is not AWS; the bucket then stands in the path
}

// errSecret is the error of a URL that holds a key. It does not show the URL.
var errSecret = errors.New("a key never stands in the URL: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a file by AWS_SHARED_CREDENTIALS_FILE, or use the machine's role")

// Parse reads a URL of storage. A path alone is a folder. It refuses keys in the URL, and parameters that it does not know.
func Parse(raw string) (at Location, err error) {
	scheme, rest, found := strings.Cut(raw, ":")
	if !found || strings.ContainsAny(scheme, "/.") {
		if raw == "" {
			return at, errors.New("it is empty: name a folder by file:///PATH, or a bucket by s3://BUCKET/PREFIX")
		}
		return Location{Path: filepath.Clean(raw)}, nil
	}
	switch scheme {
	case "file":
		folder := strings.TrimPrefix(rest, "//")
		if !filepath.IsAbs(folder) || strings.ContainsAny(folder, "?#") {
			return at, errors.New("must be file:///PATH with the whole path of a folder")
		}
		return Location{Path: filepath.Clean(folder)}, nil
	case "s3":
		return parseBucket(raw)
	}
	return at, errors.New("must be file:///PATH or s3://BUCKET/PREFIX?region=…&endpoint=…")
}

func parseBucket(raw string) (at Location, err error) {
	u, err := url.Parse(raw)
	if err != nil {
		return at, errors.New("cannot be read: it must be s3://BUCKET/PREFIX?region=…&endpoint=…")
	}
	if u.User != nil {
		return at, errSecret
	}
	at.Bucket, at.Prefix = u.Host, strings.Trim(path.Clean("/"+u.Path), "/")
	if at.Bucket == "" || u.Fragment != "" || Hidden(at.Prefix) {
		return at, errors.New("must be s3://BUCKET/PREFIX?region=…&endpoint=…")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return at, errors.New("what stands behind the ? cannot be read: region=… and endpoint=… are known there")
	}
	for key, values := range query {
		switch word := strings.ToLower(key); {
		case slices.ContainsFunc([]string{"key", "secret", "token", "password", "credential"}, func(w string) bool { return strings.Contains(word, w) }):
			return at, errSecret
		case len(values) > 1:
			return at, fmt.Errorf("%s stands twice", key)
		case key == "region":
			at.Region = values[0]
		case key == "endpoint":
			if at.Endpoint, err = endpoint(values[0]); err != nil {
				return at, err
			}
		default:
			return at, fmt.Errorf("%q is not known behind the ?: region and endpoint are", key)
		}
	}
	return at, nil
}

// endpoint reads the address of a server.
func endpoint(raw string) (string, error) {
	if !strings.Contains(raw, "://") {
		raw = "https://" + raw
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return "", errors.New("endpoint must be https://HOST:PORT, or http:// for a server without TLS")
	case u.User != nil:
		return "", errSecret
	}
	return u.Scheme + "://" + u.Host, nil
}

// String returns the URL, which holds no secret.
func (at Location) String() string {
	if at.Bucket == "" {
		return "file://" + at.Path
	}
	s := "s3://" + at.Bucket
	if at.Prefix != "" {
		s += "/" + at.Prefix
	}
	query := url.Values{}
	if at.Region != "" {
		query.Set("region", at.Region)
	}
	if at.Endpoint != "" {
		query.Set("endpoint", at.Endpoint)
	}
	if len(query) > 0 {
		s += "?" + query.Encode()
	}
	return s
}
