package report_test

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// only returns a stream of one scenario of A-01 that ended like that.
func only(change func(s *verdict.Stream)) *verdict.Stream {
	s := good()
	s.Header.Scenarios, s.Started, s.Finished = s.Header.Scenarios[:1], s.Started[:1], s.Finished[:1]
	change(s)
	*s.Footer = verdict.Footer{Fatal: s.Footer.Fatal, Cause: s.Footer.Cause}
	s.Count(s.Footer)
	return s
}

func TestBadges(t *testing.T) {
	fell := func(c verdict.Cause) func(*verdict.Stream) {
		return func(s *verdict.Stream) {
			s.Finished[0].Outcome, s.Finished[0].Cause, s.Finished[0].Reason = verdict.Failed, c, "no"
		}
	}
	expect := func(k verdict.ExpectKind, name string, state verdict.ExpectState) func(*verdict.Stream) {
		return func(s *verdict.Stream) {
			s.Header.Expect = append(s.Header.Expect, verdict.Expectation{Kind: k, Name: name, Reason: "known", State: state})
		}
	}
	both := func(all ...func(*verdict.Stream)) func(*verdict.Stream) {
		return func(s *verdict.Stream) {
			for _, f := range all {
				f(s)
			}
		}
	}
	for _, tc := range []struct {
		s              *verdict.Stream
		message, color string
		wrong          bool
	}{
		{good(), "conformant, 1 rules", "brightgreen", false},
		{only(both(fell(verdict.CauseCheck), expect(verdict.Failing, "A-01", verdict.Selected))), "0 of 1 rules, known failures", "yellow", false},
		{only(fell(verdict.CauseCheck)), "1 of 1 rules broken", "red", false},
		{only(expect(verdict.Failing, "A-01", verdict.Selected)), "expectations out of date", "orange", false},
		{only(fell(verdict.CauseTarget)), "target failed", "lightgrey", true},
		{only(fell(verdict.CauseUndefined)), "did not run", "lightgrey", true},
		{only(fell(verdict.CausePanic)), "suite failed", "lightgrey", true},
		{nothing(), "target failed", "lightgrey", true},
	} {
		var b strings.Builder
		_, err := report.Write(&b, report.Shields, tc.s)
		require.NoError(t, err)
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(b.String()), &got))
		want := map[string]any{"schemaVersion": 1.0, "label": "omw.v1 daemon", "message": tc.message, "color": tc.color}
		if tc.wrong {
			want["isError"] = true
		}
		require.Equal(t, want, got)

		b.Reset()
		_, err = report.Write(&b, report.Badge, tc.s)
		require.NoError(t, err)
		require.Contains(t, b.String(), ">"+tc.message+"</text>")
		for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else {
				require.NoError(t, err)
			}
		}
		for _, m := range regexp.MustCompile(`<rect[^>]* fill="#([0-9a-f]{6})"`).FindAllStringSubmatch(b.String(), -1) {
			require.GreaterOrEqual(t, 1.05/(luminance(t, m[1])+0.05), 4.5, "white on %s", m[1])
		}
	}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, hex string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		require.NoError(t, err)
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
