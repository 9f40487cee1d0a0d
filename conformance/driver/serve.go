package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Client is a client that Serve drives.
type Client interface {
	// Do does one command and says what came of it. It is called by several
	// goroutines at a time.
	Do(ctx context.Context, do Do) (Outcome, string)
	// Close ends the client.
	Close()
}

// Serve is the client's end of the contract: it opens a client for what start
// says, does what it is asked, and returns when it is told to stop or in has
// ended, once everything that it began has ended.
func Serve(ctx context.Context, in io.Reader, out io.Writer, name, version string, open func(url, token string) (Client, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	var writing sync.Mutex
	say := func(v any) error {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		writing.Lock()
		defer writing.Unlock()
		_, err = out.Write(append(line, '\n'))
		return err
	}
	var client Client
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), 4<<20)
	for n := 1; lines.Scan(); n++ {
		var told struct {
			Cmd string `json:"cmd"`
		}
		if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
			return fmt.Errorf("line %d of the suite is no command of the contract: %w", n, err)
		}
		switch told.Cmd {
		case cmdStart:
			var start Start
			if err := json.Unmarshal(lines.Bytes(), &start); err != nil {
				return fmt.Errorf("line %d of the suite is no start: %w", n, err)
			}
			if start.Version != Version {
				return fmt.Errorf("the suite speaks version %d of the contract, this client %d", start.Version, Version)
			}
			c, err := open(start.URL, start.Token)
			if err != nil {
				return err
			}
			defer c.Close()
			client = c
			if err := say(Started{Cmd: cmdStarted, Name: name, Version: version}); err != nil {
				return err
			}
		case cmdDo:
			var do Do
			if err := json.Unmarshal(lines.Bytes(), &do); err != nil {
				return fmt.Errorf("line %d of the suite is no do: %w", n, err)
			}
			if client == nil {
				return fmt.Errorf("the suite asks for %s before it says start", do.Action)
			}
			c := client
			running.Go(func() {
				outcome, code := c.Do(ctx, do)
				_ = say(Done{Cmd: cmdDone, N: do.N, Outcome: outcome, Code: code})
			})
		case cmdStop:
			return nil
		default:
			return fmt.Errorf("the suite says %q, which this client does not know", told.Cmd)
		}
	}
	return lines.Err()
}
