// Package artifact is the daemon's way to the files of its user: screenshots and
// PDFs that it writes to the paths that agents name, and the files that they
// upload. Its errors are errors of the wire that name the file and the cause.
package artifact
