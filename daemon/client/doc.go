// Package client is the Go SDK of omw: it sends commands to a running daemon
// and tells what came of them.
//
//	c, err := client.New(client.Options{Token: token})
//	shop := c.Session("shop")
//	_, err = shop.Navigate(ctx, client.NavigateArgs{URL: "https://example.com"})
//	page, err := shop.Snapshot(ctx, client.SnapshotArgs{})
//
// There is a method an action, with structs for its arguments and its data that
// are generated from the schemas of package protocol; [Client.Do] sends any
// command as it is. A pointer among the arguments is an optional one whose zero
// value says something else than leaving it out; new(false) makes one.
//
// # What came of a command
//
// Every error wraps a [protocol.Error]. Its code outcome_unknown means that the
// command may have run and may not: look at the page before asking again.
// Nothing here ever sends such a command again (CMD-12). Every other code is
// definite. The errors of a context can be told by errors.Is as well.
//
// # Time
//
// A command has the time that it asks for, or that its context leaves, or 30
// seconds. The daemon is told a little less than what the context leaves, so
// that it answers first and can say more than "no answer came" (CMD-16). More
// than 120 seconds are refused, not cut.
//
// # Who gets the token
//
// The token is sent as "Authorization: Bearer" and nowhere else (AUTH-03), to
// 127.0.0.1 alone, and only over a connection whose other end has just shown
// that it knows the token already (AUTH-20). A stranger on the port learns a
// random number. Redirects are not followed and proxies not used.
package client

//go:generate go run ./gen
