package protocol_test

import (
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ruleID is what the ids of the ledger's rules look like.
var ruleID = regexp.MustCompile(`^(AUTH|ROUTE|CMD|LIMIT|FILE|LIFE)-\d\d$`)

// TestEveryLimitHasARule: a number of the protocol that no rule asks for, or
// that was forgotten in the defaults, fails here.
func TestEveryLimitHasARule(t *testing.T) {
	for _, limits := range []any{protocol.DefaultLimits(), protocol.DefaultExtensionLimits()} {
		v := reflect.ValueOf(limits)
		for i := range v.NumField() {
			f := v.Type().Field(i)
			require.Regexp(t, ruleID, f.Tag.Get("rule"), f.Name)
			require.Positive(t, v.Field(i).Int(), f.Name)
			if step, ok := f.Tag.Lookup("step"); ok {
				if f.Type == reflect.TypeFor[time.Duration]() {
					d, err := time.ParseDuration(step)
					require.NoError(t, err, f.Name)
					require.Positive(t, d, f.Name)
				} else {
					n, err := strconv.Atoi(step)
					require.NoError(t, err, f.Name)
					require.Positive(t, n, f.Name)
				}
			}
		}
	}
}

// TestTheLimitsOfTheSeed holds the numbers that the architecture page gives.
func TestTheLimitsOfTheSeed(t *testing.T) {
	l, e := protocol.DefaultLimits(), protocol.DefaultExtensionLimits()
	require.EqualValues(t, 2097152, l.Body)
	require.Equal(t, 288, l.Requests)
	require.Equal(t, 128, l.Commands)
	require.Equal(t, 16, l.Reserve)
	require.Equal(t, 32, e.Waiting)
	require.Equal(t, 128, l.Sessions)
	require.Equal(t, 32, e.Tabs)
	require.EqualValues(t, 33554432, l.Message)
	require.EqualValues(t, 67108864, l.Buffered)
	require.Equal(t, 2, e.Jobs)
	require.Equal(t, 30*time.Second, l.DefaultTimeout)
	require.Equal(t, 120*time.Second, l.MaxTimeout)
	require.EqualValues(t, 16777216, l.UploadCommand)
	require.EqualValues(t, 67108864, l.UploadTotal)
	require.EqualValues(t, 104857600, l.PDF)
	require.Equal(t, 5*time.Minute, l.PairAge)
	require.Equal(t, 5, l.PairAttempts)
	require.Equal(t, 20*time.Second, e.Ping)
	require.Equal(t, 45*time.Second, e.Silence)
	require.Equal(t, 500*time.Millisecond, e.BackoffMin)
	require.Equal(t, 30*time.Second, e.BackoffMax)
}

// TestTheCommandSchemaSaysTheLimits keeps the schema of the envelope and the
// limits one.
func TestTheCommandSchemaSaysTheLimits(t *testing.T) {
	l := protocol.DefaultLimits()
	b, err := os.ReadFile("schema/http/command.json")
	require.NoError(t, err)
	text := string(b)
	for _, want := range []string{
		`"maximum": ` + strconv.FormatInt(l.MaxTimeout.Milliseconds(), 10),
		`"default": ` + strconv.FormatInt(l.DefaultTimeout.Milliseconds(), 10),
		`"maxLength": ` + strconv.Itoa(l.SessionName),
		`^[ -~]{1,` + strconv.Itoa(l.RequestID) + `}$`,
		`"default": "` + protocol.DefaultSession + `"`,
	} {
		require.Contains(t, text, want)
	}
}

func TestTheErrorSchemaListsTheCodes(t *testing.T) {
	o := newOracle(t)
	codes := o.docs["http/error.json"].(map[string]any)["properties"].(map[string]any)["code"].(map[string]any)["enum"].([]any)
	var want, got []string
	for _, c := range protocol.Codes {
		want = append(want, string(c))
		require.True(t, c.Known())
		require.Equal(t, c != protocol.OutcomeUnknown, c.Definite())
	}
	for _, c := range codes {
		got = append(got, c.(string))
	}
	require.Equal(t, want, got)
	require.False(t, protocol.Code("").Known())
	require.False(t, protocol.Code(strings.ToUpper("busy")).Known())
}
