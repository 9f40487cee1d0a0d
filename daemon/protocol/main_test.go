package protocol_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain sets what rapid does unless the command line says otherwise: it
// tries more than its default, and prints a seed in the place of writing files.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.checks": "300"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
