package api

// Routes returns the method and path of everything that the server can be asked.
func (s *Server) Routes() []string {
	var routes []string
	for _, r := range s.routes() {
		routes = append(routes, r.method+" "+r.path)
	}
	return routes
}

// Routes returns the method and path of everything that a server of the configuration can be asked.
func Routes(cfg Config) []string { return (&Server{cfg: cfg}).Routes() }
