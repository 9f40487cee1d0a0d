// Package bench measures what a command costs on its way through the daemon,
// beside a bare floor in the same run: the same chain of three processes (load,
// daemon, extension) with a daemon that has no gate, no routing and no checks.
// It also measures omw eval as a whole process, beside true and a bare Go program.
// Absolute numbers depend on the machine; the ratios are what counts. There is
// nothing here but benchmarks; make bench runs them.
package bench
