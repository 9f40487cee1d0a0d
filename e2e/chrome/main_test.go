// Package chrome_test drives the extension in a real Chromium: the built daemon,
// the built extension, a browser of its own, and pages whose servers count what
// reaches them. `make e2e` builds what it needs and runs it.
package chrome_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// built are the things under test, as `make e2e` builds them.
var built struct {
	omw, extension, chromium string
}

func TestMain(m *testing.M) {
	if err := find(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func find() error {
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	built.omw = filepath.Join(root, "bin", "omw")
	built.extension = filepath.Join(root, "extension", "dist", "chrome")
	for _, path := range []string{built.omw, filepath.Join(built.extension, "manifest.json")} {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("%s is not there; run these tests by: make e2e", path)
		}
	}
	if built.chromium, err = exec.LookPath("chromium"); err != nil {
		return fmt.Errorf("there is no chromium on the PATH; install Debian's: apt-get install chromium")
	}
	return nil
}
