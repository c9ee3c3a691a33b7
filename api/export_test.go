package api

import (
	"net/http/httptest"

	"purr/api/form"
	"purr/api/openapi"
	"purr/models"
)

// Routes returns the method and path of each route.
func (s *Server) Routes() []string {
	var routes []string
	for _, r := range s.routes() {
		routes = append(routes, r.method+" "+r.path)
	}
	return routes
}

// Routes returns the method and path of each route of a server with the configuration.
func Routes(cfg Config) []string { return (&Server{cfg: cfg}).Routes() }

// RequestHash returns the hash that identifies a repeated request.
func RequestHash(method, path, body string) string {
	return hexOf((&request{r: httptest.NewRequest(method, path, nil)}).hash(), []byte(body))
}

// Document returns the XML document of a resource.
func Document(resource any) ([]byte, error) { return document(resource) }

// SendShown reads a creditor's answer into another creditor, as if it were a request. It fails if a part of the answer is not read.
func SendShown(shown models.Creditor, to *models.Creditor) error {
	body, err := document((&request{}).creditorDetail(shown))
	if err != nil {
		return err
	}
	f, err := form.Parse(form.Body{Text: body}, "creditor")
	if err != nil {
		return err
	}
	readCreditor(f, to)
	return f.Done(nil)
}

// OperationsWith returns the operations of a server with the configuration.
func OperationsWith(cfg Config) []openapi.Operation { return (&Server{cfg: cfg}).operations() }

// Section is a part of docs/interface.md: its title and the names of its operations.
type Section struct {
	Title      string
	Operations []string
}

// Sections returns the parts of the interface in their order.
func Sections() []Section {
	found := make([]Section, len(sections))
	for i, s := range sections {
		found[i].Title = s.title
		for _, o := range s.operations {
			found[i].Operations = append(found[i].Operations, o.name)
		}
	}
	return found
}
