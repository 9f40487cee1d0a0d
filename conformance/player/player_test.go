package player_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

func inProcess() target.Target {
	return &target.InProcess{New: func(dir string, l protocol.Limits, log *slog.Logger) (target.Server, error) { return daemon.New(daemon.Config{Dir: dir, Limits: l, Log: log}) }}
}

func TestX(t *testing.T) {
	b, err := os.ReadFile("/tmp/x.tape")
	require.NoError(t, err)
	tp, err := tape.Parse("x.tape", b)
	require.NoError(t, err)
	for _, l := range []lane.Lane{lane.NewVirtual(lane.InTest(t)), lane.NewReal()} {
		began := time.Now()
		tr, err := player.Play(context.Background(), tp, player.Options{Lane: l, Target: inProcess()})
		require.NoError(t, err)
		out, _ := json.MarshalIndent(tr, "", " ")
		fmt.Println(string(out), time.Since(began))
	}
	began := time.Now()
	for range 300 {
		_, err := player.Play(context.Background(), tp, player.Options{Lane: lane.NewVirtual(lane.InTest(t)), Target: inProcess()})
		require.NoError(t, err)
	}
	fmt.Println(time.Since(began) / 300)
}
