package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Builtin returns one of the daemons that are wrong on purpose, against which
// the suite shows that it bites (KIT-13): "null" accepts connections and says
// nothing, "200" answers every request with 200 and an empty object, "403"
// with 403 and a refusal. A rule that they can break and that passes with all
// three of them is not tested.
func Builtin(name string) (Target, error) {
	b := &builtin{name: name}
	switch name {
	case "null":
		b.server = silent{}
	case "200":
		b.server = &always{status: http.StatusOK, body: "{}"}
	case "403":
		b.server = &always{status: http.StatusForbidden, body: `{"ok":false,"error":{"code":"forbidden","message":"no","delivered":"no"}}`}
	default:
		return nil, fmt.Errorf("there is no builtin daemon %q; there are null, 200 and 403", name)
	}
	return b, nil
}

type builtin struct {
	name   string
	server server
}

func (b *builtin) Info() Info { return Info{Kind: "builtin", Name: b.name, Strict: true} }

func (b *builtin) Start(ctx context.Context, setup Setup) (Instance, error) {
	if err := foreign(&setup); err != nil {
		return nil, err
	}
	fixed := func(s string) func(context.Context, *served) (string, error) {
		return func(context.Context, *served) (string, error) { return s, nil }
	}
	i := &served{
		network: setup.Network,
		addr:    startAddr(&setup),
		logs:    newTail(logSize, nil),
		hidden:  "a builtin daemon has no configuration directory",
		make:    func() (server, error) { return b.server, nil },
		token:   fixed(strings.Repeat("A", 43)),
		code:    fixed("271828"),
	}
	if err := i.Start(ctx); err != nil {
		return nil, err
	}
	return i, nil
}

// silent accepts connections and says nothing.
type silent struct{}

func (silent) Serve(ctx context.Context, ln net.Listener) error {
	var readers sync.WaitGroup
	defer readers.Wait()
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer stop()
	for {
		c, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept: %w", err)
		}
		readers.Go(func() {
			shut := context.AfterFunc(ctx, func() { _ = c.Close() })
			defer shut()
			// Only a peer that hangs up ends this, and its error says nothing.
			_, _ = io.Copy(io.Discard, c)
			_ = c.Close()
		})
	}
}

// always answers every request alike.
type always struct {
	status int
	body   string
}

func (a *always) Serve(ctx context.Context, ln net.Listener) error {
	s := &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(a.status)
			_, _ = io.WriteString(w, a.body)
		}),
	}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
