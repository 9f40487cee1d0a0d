package sim

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// readArtifact reads it as the daemon does, and closes it.
func readArtifact(t *testing.T, l *fakeLink, a protocol.Artifact) string {
	t.Helper()
	var all []byte
	for int64(len(all)) < a.Bytes {
		l.command("read", "s", "artifact_read", fmt.Sprintf(`{"artifact":%q,"offset":%d,"length":1048576}`, a.ID, len(all)), minute)
		r := l.result(t)
		require.True(t, r.OK, "%+v", r.Error)
		text, ok := protocol.StringArg(r.Data, "base64")
		require.True(t, ok)
		part, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		require.LessOrEqual(t, len(part), 1<<20)
		all = append(all, part...)
	}
	l.command("close", "s", "artifact_close", fmt.Sprintf(`{"artifact":%q}`, a.ID), minute)
	require.Equal(t, "close ok", l.code(t))
	return string(all)
}

func value(n int) string { return `{"value":"` + strings.Repeat("v", n-len(`{"value":""}`)) + `"}` }

// small is a profile whose results travel as artifacts above 3000 bytes, so that
// only the tests of the real limit carry megabytes.
func small() Profile {
	p := Chrome
	p.Limits.Inline = 3000
	return p
}

func TestMoreThan4MiBIsAnArtifact(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		size := 4 << 20
		b, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply { return Data(value(size)) }})
		l.command("1", "s", "evaluate", `{"code":"x"}`, minute)
		r := l.result(t)
		_, is := protocol.ArtifactOf(r.Data)
		require.False(t, is)
		require.Len(t, r.Data, 4<<20)

		size++
		l.command("2", "s", "evaluate", `{"code":"x"}`, minute)
		r = l.result(t)
		a, is := protocol.ArtifactOf(r.Data)
		require.True(t, is)
		require.Equal(t, int64(4<<20+1), a.Bytes)
		require.Equal(t, 1, b.Artifacts())
		require.Equal(t, value(size), readArtifact(t, l, a))
		require.Zero(t, b.Artifacts())
		l.command("3", "s", "artifact_read", fmt.Sprintf(`{"artifact":%q,"offset":0,"length":1}`, a.ID), minute)
		require.Equal(t, "3 not_found", l.code(t))
	})
}

func TestAPictureIsAnArtifactOfItsBytes(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		picture := strings.Repeat("p", 3000)
		_, l := d.connected(t, Config{Profile: small(), Respond: func(context.Context, Start) Reply {
			return Encoded([]byte(picture), `{"format":"png","width":10,"height":20}`)
		}})
		l.command("1", "s", "screenshot", `{}`, minute)
		r := l.result(t)
		action, _ := protocol.LookupAction("screenshot")
		require.NoError(t, action.CheckData(r.Data))
		width, _ := protocol.Arg(r.Data, "width")
		require.Equal(t, "10", string(width))
		a, is := protocol.ArtifactOf(r.Data)
		require.True(t, is)
		require.Equal(t, picture, readArtifact(t, l, a))
	})
}

func TestAnArtifactIsFreedAtItsDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		b, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply { return Artifact([]byte("abc"), "") }})
		l.command("1", "s", "evaluate", `{"code":"x"}`, 10*time.Second)
		require.True(t, l.result(t).OK)
		time.Sleep(10*time.Second - 1)
		require.Equal(t, 1, b.Artifacts())
		time.Sleep(2 * time.Nanosecond)
		require.Zero(t, b.Artifacts())
	})
}

func TestArtifactReadsOutsideAreRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		_, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply { return Artifact([]byte("abc"), `{}`) }})
		l.command("1", "s", "evaluate", `{"code":"x"}`, minute)
		a, _ := protocol.ArtifactOf(l.result(t).Data)
		for _, tc := range []struct{ offset, length, want string }{
			{"3", "1", "r ok"},
			{"0", "1048576", "r ok"},
			{"4", "1", "r bad_request"},
			{"-1", "1", "r bad_request"},
			{"0", "0", "r bad_request"},
			{"0", "1048577", "r bad_request"},
			{"0.5", "1", "r bad_request"},
		} {
			l.command("r", "s", "artifact_read", fmt.Sprintf(`{"artifact":%q,"offset":%s,"length":%s}`, a.ID, tc.offset, tc.length), minute)
			require.Equal(t, tc.want, l.code(t), "%+v", tc)
		}
	})
}

func TestAPDFAboveItsLimitIsRefusedFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		most := int(protocol.DefaultLimits().PDF)
		size := most + 1
		_, l := d.connected(t, Config{Respond: func(context.Context, Start) Reply { return Encoded(make([]byte, size), `{"pages":1}`) }})
		l.command("1", "s", "pdf", `{}`, minute)
		require.Equal(t, "1 too_large", l.code(t))
		size = most
		l.command("2", "s", "pdf", `{}`, minute)
		a, is := protocol.ArtifactOf(l.result(t).Data)
		require.True(t, is)
		require.Equal(t, int64(most), a.Bytes)
	})
}

// A picture that a test writes as data itself travels in the same way.
func TestDataOfAPictureIsAnArtifactOfItsBytes(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		picture := strings.Repeat("p", 3000)
		text := base64.StdEncoding.EncodeToString([]byte(picture))
		_, l := d.connected(t, Config{Profile: small(), Respond: func(context.Context, Start) Reply {
			return Data(`{"base64":"` + text + `","format":"png","width":1,"height":1}`)
		}})
		l.command("1", "s", "screenshot", `{}`, minute)
		a, is := protocol.ArtifactOf(l.result(t).Data)
		require.True(t, is)
		require.Equal(t, picture, readArtifact(t, l, a))
	})
}

// The edge between whole and artifact is the size of the data.
func TestAnEncodedResultAtTheEdge(t *testing.T) {
	inBubble(t, func(t *testing.T, d *fakeDaemon) {
		var content []byte
		_, l := d.connected(t, Config{Profile: small(), Respond: func(context.Context, Start) Reply { return Encoded(content, `{"pages":1}`) }})
		// {"pages":1,"base64":"…"} has 23 bytes beside the base64.
		content = make([]byte, (3000-23)/4*3)
		l.command("1", "s", "pdf", `{}`, minute)
		r := l.result(t)
		_, is := protocol.ArtifactOf(r.Data)
		require.False(t, is)
		require.Len(t, r.Data, 2999)
		content = append(content, 0)
		l.command("2", "s", "pdf", `{}`, minute)
		_, is = protocol.ArtifactOf(l.result(t).Data)
		require.True(t, is)
	})
}
