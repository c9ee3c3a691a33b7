// Package api is the XML interface over HTTP: routes and resources. It reads requests, calls the packages that do the
// acts, and writes answers. Its own rules are those of the interface: keys, paths, pages, codes and Idempotency-Keys.
// It knows nothing of SQL, of the queue behind its Queue, or of how a PDF is made.
//
// Begin with routes.go: every path, who may ask for it, and its handler. The handlers have few forms (handlers.go): show and list
// for GET, act and once for POST, change for PUT, delete for DELETE. A file has one resource, with the structs of its XML.
//
// Package api/form reads bodies, and collects every fault; api/schema is the XML Schema, which tests hold each answer against; api/access says who a caller is;
// api/once has what is asked for under a key done once; api/guard what callers can take. docs/interface.md is made from the comments of the handlers.
package api
