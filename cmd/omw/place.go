package main

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

// place is where a daemon is: its address and its config directory.
type place struct{ addr, configDir string }

func (p *place) flags(root *cobra.Command) {
	root.PersistentFlags().StringVar(&p.addr, "addr", protocol.DefaultAddr, "the daemon's `address`")
	root.PersistentFlags().StringVar(&p.configDir, "config-dir", "", "the daemon's config `directory` (default: $OMW_CONFIG_DIR, $XDG_CONFIG_HOME/omw or ~/.config/omw)")
}

// dir returns the config directory.
func (p *place) dir() (string, error) {
	if p.configDir != "" {
		return p.configDir, nil
	}
	return state.DefaultDir()
}

// token reads the token from the config directory.
func (p *place) token() (string, error) {
	dir, err := p.dir()
	if err != nil {
		return "", err
	}
	token, err := state.ReadToken(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", protocol.Errorf(protocol.NotConnected, "%s", err)
	case err != nil:
		return "", protocol.Errorf(protocol.FileError, "%s", err)
	}
	return token, nil
}

// client returns a client of the daemon. It sends the token to nobody who has
// not shown that he knows it (AUTH-20).
func (p *place) client() (*client.Client, error) {
	if _, err := client.New(client.Options{Addr: p.addr}); err != nil {
		return nil, &usageError{err}
	}
	token, err := p.token()
	if err != nil {
		return nil, err
	}
	return client.New(client.Options{Addr: p.addr, Token: token})
}
