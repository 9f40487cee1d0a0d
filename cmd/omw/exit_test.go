package main

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Each code of the protocol has an exit code: one that says what to do next.
func TestExitCodeOfEveryCode(t *testing.T) {
	for _, c := range protocol.Codes {
		want := exitFailed
		switch c {
		case protocol.NotConnected:
			want = exitNotConnected
		case protocol.OutcomeUnknown:
			want = exitUnknown
		}
		require.Equal(t, want, exitCode(c), c)
	}
	require.Equal(t, exitUnknown, exitCode(protocol.Unknown(protocol.DeliveredNo, "x").Code))
}

func TestReport(t *testing.T) {
	wire := &protocol.Error{Code: protocol.StaleRef, Message: "a\x1b[2Jb"}
	for name, tc := range map[string]struct {
		err       error
		ran, json bool
		code      int
		out, errs string
	}{
		"none":                  {nil, true, false, 0, "", ""},
		"of the wire":           {wire, true, false, 1, "", "error stale_ref: a\ufffd[2Jb; run omw snapshot\n"},
		"of the wire, as JSON":  {&answered{"7", wire}, true, true, 1, `{"id":"7","ok":false,"error":{"code":"stale_ref","message":"a\u001b[2Jb"}}` + "\n", ""},
		"wrapped":               {fmt.Errorf("ask: %w", wire), true, false, 1, "", "error stale_ref: a\ufffd[2Jb; run omw snapshot\n"},
		"another one":           {errors.New("x"), true, false, 1, "", "omw: x\n"},
		"another one, as JSON":  {errors.New("x"), true, true, 1, `{"ok":false,"error":{"code":"internal","message":"x","delivered":"no"}}` + "\n", ""},
		"told already":          {ended{1}, true, true, 1, "", ""},
		"of usage":              {usagef("x"), true, true, 2, "", "omw: x\nSee: omw --help\n"},
		"before the verb began": {errors.New("x"), false, false, 2, "", "omw: x\nSee: omw --help\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			p := &program{out: &out, err: &errs, json: tc.json, ran: tc.ran}
			require.Equal(t, tc.code, p.report(&cobra.Command{Use: "omw"}, tc.err))
			require.Equal(t, tc.out, out.String())
			require.Equal(t, tc.errs, errs.String())
		})
	}
}
