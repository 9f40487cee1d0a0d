package state

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// DefaultDir returns the config directory of this user: $OMW_CONFIG_DIR, else
// $XDG_CONFIG_HOME/omw, else ~/.config/omw, on Windows %AppData%\omw. It need not
// exist. A relative $OMW_CONFIG_DIR is taken from the working directory; a
// relative $XDG_CONFIG_HOME is passed over, as its specification asks.
func DefaultDir() (string, error) {
	if dir := os.Getenv("OMW_CONFIG_DIR"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("resolve OMW_CONFIG_DIR: %w", err)
		}
		return abs, nil
	}
	if base := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "omw"), nil
	}
	if runtime.GOOS == "windows" {
		base, err := os.UserConfigDir()
		if err != nil {
			return "", fmt.Errorf("find the config directory: %w", err)
		}
		return filepath.Join(base, "omw"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the config directory: %w; set OMW_CONFIG_DIR", err)
	}
	return filepath.Join(home, ".config", "omw"), nil
}
