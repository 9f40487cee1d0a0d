// Package api is the daemon's HTTP: /ping and /pair for who has no token yet,
// /command for agents, /extension for browsers, /admin for the CLI.
//
// A command goes one straight way: the gate, a slot, the body and its checks,
// the browser that the router picks, a slot there, its files, its binding, the
// frame, the answer, the artifact. Nothing goes back up.
package api
