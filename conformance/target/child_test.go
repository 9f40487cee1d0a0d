package target_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// childMode is the variable that makes this test binary play a daemon.
const childMode = "TARGET_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	goleak.VerifyTestMain(m)
}

// child plays a small daemon: it listens at $ADDR, keeps its token in
// $CONFIG/secret.json, and says what its mode says.
func child(mode string) int {
	switch mode {
	case "crash":
		fmt.Fprintln(os.Stderr, "cannot start: the moon is full")
		return 7
	case "extension":
		return extensionChild()
	case "hang":
		select {}
	case "pair":
		fmt.Println("one moment")
		fmt.Println("code 271828")
		select {}
	case "pair-nothing":
		fmt.Println("nobody is home")
		return 0
	}
	if err := serve(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if mode == "bad-status" {
		return 3
	}
	return 0
}

func serve(mode string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	config := os.Getenv("CONFIG")
	if err := os.MkdirAll(config, 0o777); err != nil {
		return err
	}
	secret := []byte(`{"token":"t0ken"}`)
	if err := os.WriteFile(filepath.Join(config, "secret.json"), secret, 0o666); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", os.Getenv("ADDR"))
	if err != nil {
		return err
	}
	fmt.Println("token: old")
	fmt.Println("token: new")
	fmt.Printf("listening on %s\n", ln.Addr())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /admin/pair", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t0ken" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"code": "314159"})
	})
	mux.HandleFunc("GET /env", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"env": os.Environ(), "args": os.Args[1:], "dir": dir()})
	})
	mux.HandleFunc("POST /die", func(http.ResponseWriter, *http.Request) { os.Exit(9) })
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	if mode != "stubborn" {
		context.AfterFunc(ctx, func() { _ = s.Close() })
	}
	if err := s.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func dir() string {
	d, err := os.Getwd()
	if err != nil {
		return err.Error()
	}
	return d
}
