package report_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// point is a test point of TAP: what a harness reads of it.
type point struct {
	ok        bool
	name      string
	directive string
	sub       []point
}

var pointLine = regexp.MustCompile(`^(ok|not ok) ([0-9]+) - ((?:[^#\\]|\\.)*?)(?: # (TODO|SKIP) (.*))?$`)

// parseTAP reads TAP 14 strictly: numbers follow each other, plans count,
// blocks of YAML are closed, and a subtest stands before its point.
func parseTAP(t *testing.T, text string) (points []point, bailed string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.Equal(t, "TAP version 14", lines[0])
	var parse func(indent string, at int) ([]point, int)
	parse = func(indent string, at int) (all []point, next int) {
		var sub []point
		planned := false
		for at < len(lines) {
			line := lines[at]
			body, here := strings.CutPrefix(line, indent)
			if !here || indent != "" && planned {
				break
			}
			at++
			switch {
			case strings.HasPrefix(body, "    ") && sub == nil:
				sub, at = parse(indent+"    ", at-1)
			case strings.HasPrefix(body, "# "):
			case strings.HasPrefix(body, "Bail out! "):
				bailed = strings.TrimPrefix(body, "Bail out! ")
			case body == "  ---":
				for lines[at] != indent+"  ..." {
					require.Regexp(t, `^`+indent+`  [a-z_]+: ".*"$`, lines[at])
					at++
				}
				at++
			case strings.HasPrefix(body, "1.."):
				require.Equal(t, fmt.Sprint("1..", len(all)), body)
				planned = true
			default:
				m := pointLine.FindStringSubmatch(body)
				require.NotNil(t, m, "%q", body)
				n, err := strconv.Atoi(m[2])
				require.NoError(t, err)
				all = append(all, point{m[1] == "ok", m[3], m[4], sub})
				require.Len(t, all, n)
				sub = nil
			}
		}
		require.True(t, planned)
		return all, at
	}
	points, at := parse("", 1)
	require.Equal(t, len(lines), at)
	return points, bailed
}

func tap(t *testing.T, s *verdict.Stream) ([]point, string) {
	var b strings.Builder
	_, err := report.Write(&b, report.TAP, s)
	require.NoError(t, err)
	return parseTAP(t, b.String())
}

func TestTAPIsRead(t *testing.T) {
	points, bailed := tap(t, everything())
	require.Empty(t, bailed)
	require.Len(t, points, 11)
	count := map[string]int{}
	for _, p := range points {
		worst := true
		for _, s := range p.sub {
			worst = worst && (s.ok || s.directive == "TODO")
			count[fmt.Sprint(s.ok, s.directive)]++
		}
		if p.sub != nil {
			require.Equal(t, worst, p.ok || p.directive == "TODO", "%s says what its subtests say", p.name)
		}
	}
	// Two are unobservable and one is skipped; one is expected to fail and two are
	// flaky; two passed and should not have, and one did not run.
	require.Equal(t, map[string]int{"true": 2, "trueSKIP": 3, "falseTODO": 3, "false": 15}, count)

	points, bailed = tap(t, nothing())
	require.Equal(t, "start the daemon: it ended: exit status 7", bailed)
	require.False(t, points[0].ok)

	points, _ = tap(t, good())
	require.Len(t, points, 1)
	require.True(t, points[0].ok)
}

// TestTAPIsNotMisled puts what TAP reads as its own into names and reasons.
func TestTAPIsNotMisled(t *testing.T) {
	s := everything()
	s.Header.Rules[0].Sentence = "It # SKIP me \\ # TODO\nok 1 - more"
	s.Finished[2].Reason = "no\n  ...\nok 99 - forged\n1..0"
	s.Finished[0].Scenario += " # SKIP"
	s.Header.Scenarios[0].ID += " # SKIP"
	points, _ := tap(t, s)
	require.Len(t, points, 11)
	require.Empty(t, points[0].directive)
	require.Contains(t, points[0].name, `\# SKIP me \\ \# TODO`)
	require.Empty(t, points[0].sub[0].directive)
}
