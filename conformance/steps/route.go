package steps

// registerRoute registers the sentences of the ROUTE rules, beside those of the
// stage:
//
//	Chrome has opened its connection and says no hello
//	Chrome says hello as "firefox"               Chrome says a frame without a type
//	Chrome is welcomed                           Chrome's connection is open
//	Chrome's connection is closed with 1008      the reason is told
//	another Chrome tries to connect              the same Chrome; … with a wrong token
//	the newcomer is let in                       is turned away with 409 conflict
//	8 Chromes try to connect at once             one is let in and the others are turned away with 409
//	Chrome asks whether its place is free        it is told 204
//	the daemon is stopped and started again      or killed, or one after the other
//	bindings.json says that session "shop" is Firefox's
//	bindings.json cannot be written              bindings.json can be written again
//	the agent sends a click A and a click B at once
//	it fails with a definite error, delivered "no"
//	the agent asks for "/json/version"           the version is reported
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
