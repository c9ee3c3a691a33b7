// Package console is the web pages at / (rule E10). It reads requests, calls the reads and the acts that the API calls too,
// and writes HTML. It has no rule and no SQL of its own: what a page shows is read in store, what a button does is one
// function of the domain with its event and its actor. It knows nothing of XML, or of the queue behind its Queue.
//
// Begin with routes.go, and then any page: a file has the struct of its template in pages, a GET that fills it, and the POSTs of its forms.
// act.go does a form's act once, by the form's own key, in one transaction with the message that the next page shows. Pages work without scripts.
//
// Package console/locale has every text, in three languages; console/assets the files that pages load; console/chart the bars; console/outlook counts what
// the coming runs will do.
package console
