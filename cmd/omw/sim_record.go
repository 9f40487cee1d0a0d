package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	taping "github.com/oh-my-webbridge/omw/sim/record"
)

// recordFlags are what omw sim record is told.
type recordFlags struct {
	out, listen, title string
	once, force        bool
}

func (p *program) simRecordVerb() *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record --out FILE.tape",
		Short: "Record what really happens between a daemon and its peers as a tape",
		Long: `record stands before the daemon, passes everything through unchanged and writes down who said
what and when: a tape that omw sim play plays, and that a bug report can hold.

Give the address that it prints to the extension, in its setup page, in the place of the
daemon's; to agents with --addr; or to both, so that one tape holds both in one time line. It
knows no token and needs none. The tape is written when a connection of the extension ends and
when a signal ends record, whole each time and never over a file that was there before. With
--once the end of the first connection ends record, too.

Tokens, pairing codes, typed text, keys that are characters, the values of cookies and of header
rules, the bodies of network entries and the bytes of files and pictures are not in the tape: as
many letters stand in their places. The addresses, titles and texts of pages are in it, and so
is the code of evaluate. Times are rounded to 10 ms.`,
		Example: `  omw sim record --out bug.tape --listen 127.0.0.1:17374
  omw do navigate url=https://example.com --addr 127.0.0.1:17374
  omw sim play bug.tape`,
		Args: cobra.NoArgs,
		RunE: p.verb(func(cmd *cobra.Command, _ []string) error {
			if f.out == "" {
				return usagef("--out says where the tape is to be written")
			}
			if err := checkListenAddr(f.listen); err != nil {
				return usagef("cannot listen on %q: give --listen 127.0.0.1:PORT", f.listen)
			}
			return p.record(cmd.Context(), f)
		}),
	}
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "the tape's `file`")
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:0", "the `address` of the recorder; port 0 takes a free one")
	cmd.Flags().StringVar(&f.title, "title", "", "the tape's `sentence`: what it shows")
	cmd.Flags().BoolVar(&f.once, "once", false, "end when the first connection of an extension has ended")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over a file that is there")
	_ = cmd.MarkFlagFilename("out", "tape")
	return cmd
}

// record records until ctx ends, or the first link with --once.
func (p *program) record(ctx context.Context, f recordFlags) error {
	if err := p.mayRecord(ctx, f); err != nil {
		return err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp4", f.listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", f.listen, err)
	}
	news := make(chan struct{}, 1)
	r := taping.New(taping.Config{Upstream: p.place.addr, Title: f.title, Changed: func(taping.Summary) {
		select {
		case news <- struct{}{}:
		default: // somebody looks already
		}
	}})
	show := newRecordView(p, f.out)
	if err := show.begin(ln.Addr().String()); err != nil {
		return errors.Join(err, ln.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	served := make(chan error, 1)
	go func() { served <- r.Serve(ctx, ln) }()
	w := &tapeWriter{recorder: r, path: f.out, replace: f.force}
	for {
		select {
		case err := <-served:
			if err = errors.Join(err, w.write()); err != nil {
				return err
			}
			return show.end(r.Summary())
		case <-news:
			s := r.Summary()
			show.progress(s)
			if s.Ends <= w.ends {
				continue
			}
			w.ends = s.Ends
			if f.once {
				cancel()
				continue
			}
			if err := errors.Join(w.write(), show.saved(s)); err != nil {
				cancel()
				return errors.Join(err, <-served)
			}
		}
	}
}

// mayRecord finds what would spoil a recording before it begins.
func (p *program) mayRecord(ctx context.Context, f recordFlags) error {
	if _, err := os.Lstat(f.out); err == nil && !f.force {
		return protocol.Errorf(protocol.FileExists, "%s is there already; give another --out, or --force to write over it", f.out)
	}
	c, err := client.New(client.Options{Addr: p.place.addr})
	if err != nil {
		return &usageError{err}
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err = c.Ping(ctx)
	return err
}

// tapeWriter writes the tape of a recorder, again and again.
type tapeWriter struct {
	recorder *taping.Recorder
	path     string
	// replace: the file is this recording's own, or may be written over.
	replace bool
	// ends is how many links had ended when it was asked last.
	ends int
}

func (w *tapeWriter) write() error {
	t, err := w.recorder.Tape()
	if err != nil {
		return err
	}
	err = taping.Save(w.path, t.Format(), w.replace)
	switch {
	case errors.Is(err, fs.ErrExist):
		return protocol.Errorf(protocol.FileExists, "%s is there by now, and was left alone", w.path)
	case err != nil:
		return protocol.Errorf(protocol.FileError, "%s", err)
	}
	w.replace = true
	return nil
}
