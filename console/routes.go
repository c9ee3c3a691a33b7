package console

import (
	"context"

	"purr/models"
)

// handler answers a request with a page, a file, or the way to another page.
type handler func(ctx context.Context, rq *request) (reply, error)

// route is one path of the console. Its GET shows a page and changes nothing. Its POST does what a form asks for.
type route struct {
	path string
	area string // the link in the navigation that is the present one; empty for none
	get  handler
	csv  handler // of a list: answers the path and ".csv" with all of it (see request.csv)
	post handler
	// again shows the form again after a POST that was refused; nil for the page's own get, and without one a page that
	// says what was wrong.
	again handler
	scope models.Scope // what the POST needs
	long  bool         // takes as long as it must; a POST reads its body itself
	open  bool         // needs no session
}

// Paths returns the paths of the console under a test clock, as http.ServeMux takes them: those that a GET shows, and those that
// a POST acts on.
func Paths() (shown, acting []string) {
	for _, r := range (&Server{cfg: Config{Simulated: true}}).routes() {
		if r.get != nil {
			shown = append(shown, r.path)
		}
		if r.post != nil {
			acting = append(acting, r.path)
		}
	}
	return shown, acting
}

// routes are all paths of the console. Each room of it has a list of its own.
func (s *Server) routes() []route {
	all := []route{
		{path: "/sign-in", get: s.signInPage, post: s.signIn, open: true},
		{path: "/sign-in/{token}", get: s.linkPage, post: s.useLink, open: true},
		{path: "/sign-out", post: s.signOut},
	}
	for _, room := range [][]route{
		s.invoiceRoutes(),
		s.copyRoutes(),
		s.moreTimeRoutes(),
		s.planRoutes(),
		s.limitationRoutes(),
		s.standingStillRoutes(),
		s.collectionRoutes(),
		s.moneyRoutes(),
		s.creditRoutes(),
		s.repaymentRoutes(),
		s.chargesRoutes(),
		s.accountRoutes(),
		s.customerRoutes(),
		s.bankRoutes(),
		s.bankFileRoutes(),
		s.letterRoutes(),
		s.todayRoutes(),
		s.dunningRoutes(),
		s.settingsRoutes(), s.logoRoutes(),
		s.clockRoutes(),
		s.creditNoteRoutes(),
		s.logRoutes(),
		s.searchRoutes(),
		s.operationsRoutes(),
		s.auditRoutes(),
	} {
		all = append(all, room...)
	}
	return withCSV(all)
}

// withCSV adds the routes of lists as CSV files, which take as long as there are rows.
func withCSV(all []route) []route {
	for _, r := range all {
		if r.csv != nil {
			all = append(all, route{path: r.path + ".csv", area: r.area, get: r.csv, long: true})
		}
	}
	return all
}
