package state

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

const (
	configName = "config.json"

	// tokenBytes of randomness make a token. It is written in base64url without
	// padding, since a browser refuses / and = in a subprotocol.
	tokenBytes = 32
	// A token that somebody chose has at least tokenMin characters, and at most
	// tokenMax, so that it fits into a header.
	tokenMin = 32
	tokenMax = 1024
)

// ReadToken returns the token that config.json of the directory dir holds. It
// takes no lock and changes nothing: it is for programs beside the daemon. The
// error wraps fs.ErrNotExist where no daemon ever ran.
func ReadToken(dir string) (string, error) {
	path := filepath.Join(dir, configName)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, told(err))
	}
	defer root.Close()
	token, err := readConfig(root)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, told(err))
	}
	return token, nil
}

// told adds to the error of a missing file how it comes to be.
func told(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it does not exist yet; omw serve makes it: %w", err)
	}
	return err
}

// readConfig returns the token of config.json.
func readConfig(root *os.Root) (string, error) {
	data, err := readPlain(root, configName)
	if err != nil {
		return "", err
	}
	all, err := members(data, "token")
	if err != nil {
		return "", err
	}
	var token string
	if err := json.Unmarshal(all["token"], &token); err != nil || !isToken(token) {
		return "", fmt.Errorf(`"token" must be a string of %d to %d letters, digits, - and _`, tokenMin, tokenMax)
	}
	return token, nil
}

// publishToken makes a token and publishes it.
func (d *Dir) publishToken() (string, error) {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // it never fails: the process would end
	token := base64.RawURLEncoding.EncodeToString(b[:])
	return token, d.publish(configName, fmt.Appendf(nil, "{\"version\":1,\"token\":%q}\n", token))
}

func isToken(s string) bool {
	if len(s) < tokenMin || len(s) > tokenMax {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}
