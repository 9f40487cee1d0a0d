package target

import (
	"os"
	"path/filepath"
	"strings"
)

// module is this project's module path.
const module = "github.com/oh-my-webbridge/omw"

// FindSource returns the folder of the daemon's source in the checkout of this
// project that dir lies in, or "" if it lies in none.
func FindSource(dir string) string {
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if first, _, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(first) == "module "+module {
				return filepath.Join(dir, "daemon")
			}
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
