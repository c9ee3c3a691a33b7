package schema

import (
	"regexp"
	"strings"
	"sync"
)

// routeShown is a route in what is said of a root.
var routeShown = regexp.MustCompile(`(GET|POST|PUT) (/api/v1/[a-z_:/]+)`)

// placeholder is a part of a path that differs from resource to resource.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

var (
	answersByRoute  = sync.OnceValue(func() map[string]*Field { return byRoute(answerRoots()) })
	requestsByRoute = sync.OnceValue(func() map[string]*Field { return byRoute(requestRoots()) })
)

// byRoute returns the roots by the routes that they tell of.
func byRoute(roots map[string]*Field) map[string]*Field {
	found := map[string]*Field{}
	for _, root := range roots {
		for _, route := range routeShown.FindAllString(root.Doc, -1) {
			found[route] = root
		}
	}
	return found
}

// nameOf returns the name of a route, whose path has placeholders in braces and may end in a slash.
func nameOf(method, path string) string {
	return method + " " + strings.TrimSuffix(placeholder.ReplaceAllString(path, ":$1"), "/")
}

// AnswerOf returns the root of a route's answers, nil if it is not answered with a resource.
func AnswerOf(method, path string) *Field { return answersByRoute()[nameOf(method, path)] }

// RequestOf returns the root of a route's requests, nil if it takes none.
func RequestOf(method, path string) *Field { return requestsByRoute()[nameOf(method, path)] }
