package steps

// registerRoute registers the sentences of the ROUTE rules.
func registerRoute(sc sentences, s *scene) {
	r := &route{scene: s}
	registerLink(sc, r)
	registerPlace(sc, r)
	registerBinding(sc, r)
	registerRestart(sc, r)
	registerVersion(sc, r)
}

// route is what the sentences of the ROUTE rules remember beside the scene.
type route struct {
	*scene
	// newcomers are the browsers that tried to connect last.
	newcomers []newcomer
	// told is the status of POST /extension.
	told int
	// seen is what bindings.json said when a browser received a command.
	seen bindings
}
