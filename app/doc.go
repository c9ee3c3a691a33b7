// Package app joins the parts of the program. No other package knows all of them. It holds no business rule: it only
// opens, starts, stops and closes.
//
// Begin with Start: the parts in one straight line, each with what it needs of the others. App is what runs then. settings.go lists the rooms whose
// settings there are, and ways.go says which channel a setting opens.
//
// Package app/operator is what a person does by the command line: each act one call of the domain's; app/backup copies and restores an installation;
// app/demo is what purr demo shows, as a client of the API; app/certificate takes a renewed TLS certificate up.
package app
