package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A quick command says nothing; a slow one counts its seconds, and leaves nothing.
func TestProgress(t *testing.T) {
	for took, want := range map[time.Duration]string{
		0:                 "",
		2*time.Second - 1: "",
		2*time.Second + 1: eraseLine + "waiting for the browser: 2s of 30s" + eraseLine,
		3*time.Second - 1: eraseLine + "waiting for the browser: 2s of 30s" + eraseLine,
		3*time.Second + 1: eraseLine + "waiting for the browser: 2s of 30s" + eraseLine + "waiting for the browser: 3s of 30s" + eraseLine,
	} {
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			end := progress(&b, 30*time.Second)
			time.Sleep(took)
			end()
			require.Equal(t, want, b.String(), took)
		})
	}
}
