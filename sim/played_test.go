package sim

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// played runs test with a Daemon and a Browser that dials it.
func played(t *testing.T, test func(t *testing.T, d *Daemon, b *Browser)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		d := NewDaemon(n.Listen(), DaemonConfig{Token: testToken, Code: "123456"})
		b := New(Config{Dial: n.DialContext, Token: testToken, Profile: Firefox})
		test(t, d, b)
		require.NoError(t, b.Close())
		require.NoError(t, d.Close())
		require.NoError(t, d.Close(), "again")
		// Timeouts of the libraries that have lost their purpose run out.
		time.Sleep(20 * time.Second)
	})
}

func TestAPlayedDaemonRecordsWhatReachesIt(t *testing.T) {
	played(t, func(t *testing.T, d *Daemon, b *Browser) {
		began := time.Now()
		require.NoError(t, b.Connect(t.Context()))
		time.Sleep(7 * time.Second)
		require.NoError(t, b.SendText([]byte(`{"type":"weather"}`)))
		require.NoError(t, b.SendBinary(make([]byte, 3*fragment)))
		require.NoError(t, b.WriteRaw(RawFrame{Opcode: OpText, Unmasked: true, Payload: []byte("bare")}.AppendTo(nil)))
		synctest.Wait()

		asked := d.Requests()
		require.Len(t, asked, 3)
		require.Equal(t, "/ping", asked[0].Path())
		require.Equal(t, []int{200, 204, 101}, []int{asked[0].Status, asked[1].Status, asked[2].Status})
		require.True(t, asked[2].Upgrades())
		require.Equal(t, []string{protocol.Version, protocol.TokenProtocol + testToken}, asked[2].Protocols())
		s := d.Sockets()[0]
		heard := s.Heard()
		require.Len(t, heard, 4)
		require.Contains(t, string(heard[0].Payload), `"type":"hello"`)
		require.Equal(t, 7*time.Second, heard[1].At.Sub(began))
		require.Equal(t, byte(OpBinary), heard[2].Opcode)
		require.Len(t, heard[2].Payload, 3*fragment, "fragments are one message")
		require.False(t, heard[2].Unmasked)
		require.True(t, heard[3].Unmasked)
		at, ok := s.Welcomed()
		require.True(t, ok)
		require.Equal(t, began, at)

		require.NoError(t, b.CloseWith(4321, "enough"))
		code, reason, ok := s.Closing()
		require.True(t, ok)
		require.Equal(t, 4321, code)
		require.Equal(t, "enough", reason)
		_, how, ok := s.Ended()
		require.True(t, ok)
		require.Error(t, how)
	})
}

func TestAPlayedDaemonsManners(t *testing.T) {
	for name, tc := range map[string]struct {
		manners Manners
		want    string
	}{
		"good":                 {Manners{}, ""},
		"refuses everybody":    {Manners{Refuse: 409}, "409"},
		"refuses the socket":   {Manners{RefuseSocket: 503}, "503"},
		"cuts":                 {Manners{CutUpgrade: true}, "EOF"},
		"resets":               {Manners{Reset: true}, "reset"},
		"closes":               {Manners{CloseCode: 1001}, "1001"},
		"proves nothing":       {Manners{Ping: PingNoProof}, ErrImpostor.Error()},
		"proves another token": {Manners{Ping: PingWrongProof}, ErrImpostor.Error()},
		"proves another nonce": {Manners{Ping: PingOldProof}, ErrImpostor.Error()},
		"proves the empty":     {Manners{Ping: PingEmptyProof}, ErrImpostor.Error()},
		"echoes":               {Manners{Ping: PingEcho}, ErrImpostor.Error()},
		"says a number":        {Manners{Ping: PingOtherType}, ErrImpostor.Error()},
		"says no JSON":         {Manners{Ping: PingGarbage}, ErrImpostor.Error()},
		"is another program":   {Manners{Ping: PingNotFound}, "404"},
	} {
		played(t, func(t *testing.T, d *Daemon, b *Browser) {
			d.Behave(tc.manners)
			require.Equal(t, tc.manners, d.Manners())
			err := b.Connect(t.Context())
			if tc.want == "" {
				require.NoError(t, err, name)
			} else {
				require.ErrorContains(t, err, tc.want, name)
			}
			synctest.Wait()
			require.NotEmpty(t, d.Contacts(), name)
		})
	}
}

func TestAPlayedDaemonAnswersPingsUnlessItDoesNot(t *testing.T) {
	for _, mute := range []bool{false, true} {
		played(t, func(t *testing.T, d *Daemon, b *Browser) {
			d.Behave(Manners{NoPong: mute})
			require.NoError(t, b.Connect(t.Context()))
			time.Sleep(45*time.Second + 1)
			require.Equal(t, !mute, b.Connected())
		})
	}
}

func TestAPlayedDaemonThatDoesNotReadIsFelt(t *testing.T) {
	played(t, func(t *testing.T, d *Daemon, b *Browser) {
		require.NoError(t, b.Connect(t.Context()))
		s := d.Sockets()[0]
		s.StopReading()
		require.NoError(t, b.SendText([]byte("a")))
		synctest.Wait()
		require.Len(t, s.Heard(), 1)
		s.ResumeReading()
		synctest.Wait()
		require.Len(t, s.Heard(), 2)
		s.Drop()
		<-b.Done()
		_, how, ok := s.Ended()
		require.True(t, ok)
		require.Error(t, how)
	})
}

func TestAPlayedDaemonPairs(t *testing.T) {
	played(t, func(t *testing.T, d *Daemon, b *Browser) {
		ask := func(code string) (int, string) {
			client := b.client(&capture{})
			resp, err := client.Post("http://"+d.Addr()+"/pair", "application/json", strings.NewReader(`{"code":"`+code+`"}`))
			require.NoError(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			return resp.StatusCode, string(body)
		}
		status, body := ask("123456")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, `{"token":"`+testToken+`"}`, body)
		status, _ = ask("123457")
		require.Equal(t, http.StatusUnauthorized, status)
	})
}

func TestAPlayedDaemonSaysWhichFrameBreaksRFC6455(t *testing.T) {
	for name, raw := range map[string][]byte{
		"reserved bits":    RawFrame{Opcode: OpText, RSV: 4, Payload: []byte("x")}.AppendTo(nil),
		"no beginning":     RawFrame{Opcode: OpContinuation, Payload: []byte("x")}.AppendTo(nil),
		"a second message": append(RawFrame{Opcode: OpText, NotFinal: true}.AppendTo(nil), RawFrame{Opcode: OpText}.AppendTo(nil)...),
		"too much":         RawFrame{Opcode: OpText, Length: new(uint64(messageLimit + 1))}.AppendTo(nil),
	} {
		played(t, func(t *testing.T, d *Daemon, b *Browser) {
			require.NoError(t, b.Connect(t.Context()))
			require.NoError(t, b.WriteRaw(raw))
			synctest.Wait()
			_, how, ok := d.Sockets()[0].Ended()
			require.True(t, ok, name)
			require.True(t, errors.Is(how, errBroken), "%s: %v", name, how)
		})
	}
}
