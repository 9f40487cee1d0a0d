// Package state keeps what outlives the daemon: the config directory with
// config.json, which holds the token, and bindings.json.
//
// One daemon at a time owns a directory, by a lock that ends with its process.
// Every file is published whole: what a reader finds, and what a crash at any
// step leaves, is the old file or the new one (AUTH-17). The verbs that do so,
// [Draft.Replace] and [Draft.Publish], are here for artifacts too.
package state
