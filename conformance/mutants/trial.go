package mutants

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// Trial is what the suite said of one mutant.
type Trial struct {
	Name   string      `json:"name"`
	Role   ledger.Role `json:"role"`
	Rule   string      `json:"rule"`
	Breaks string      `json:"breaks"`
	Lane   ledger.Lane `json:"lane"`
	// Killed are the checks of its own rule that failed, sorted.
	Killed []string `json:"killed"`
	// Strays are the failures of other rules' scenarios, as "RULE: check or
	// cause", that no collateral explains: false kills.
	Strays []string `json:"strays"`
	// Collateral are the rules that failed with it and are expected to.
	Collateral []string `json:"collateral,omitempty"`
	// Reasons say why, by the rule.
	Reasons map[string]string `json:"reasons,omitempty"`
	// Error says why there is no verdict: it does not build, or the run broke.
	Error string        `json:"error,omitempty"`
	Took  time.Duration `json:"took_ns"`
}

// Clean reports whether the mutant died by its own rule alone.
func (t *Trial) Clean() bool { return t.Error == "" && len(t.Killed) > 0 && len(t.Strays) == 0 }

// judge reads from a run's stream what it says of a mutant.
func (t *Trial) judge(m Mutant, s *verdict.Stream) {
	for _, f := range s.Finished {
		if f.Outcome != verdict.Failed {
			continue
		}
		what := f.Check
		if what == "" {
			what = string(f.Cause)
		}
		owner, _, _ := strings.Cut(f.Check, "/")
		switch why, expected := m.Collateral[f.Rule]; {
		case f.Rule == m.Rule && owner == m.Rule:
			add(&t.Killed, f.Check)
		case f.Rule == m.Rule:
			// Its own scenario broke without saying that the rule is broken.
		case expected:
			add(&t.Collateral, f.Rule)
			t.because(f.Rule, why)
		default:
			add(&t.Strays, f.Rule+": "+what+" ("+f.Scenario+")")
		}
	}
	slices.Sort(t.Killed)
	slices.Sort(t.Strays)
	slices.Sort(t.Collateral)
}

// because keeps the reason why a rule fails with the mutant.
func (t *Trial) because(rule, why string) {
	if t.Reasons == nil {
		t.Reasons = make(map[string]string)
	}
	t.Reasons[rule] = why
}

func add(to *[]string, s string) {
	if !slices.Contains(*to, s) {
		*to = append(*to, s)
	}
}

// target returns what --target names the mutant, when it is in the suite itself.
func (m *Mutant) target() string {
	switch {
	case m.Target != "":
		return m.Target
	case m.Role == ledger.Extension, m.Role == ledger.Sim:
		return "sim:chrome"
	}
	return "inproc"
}

// judgeOf are the programs that judge what is compiled into them, by the role. A
// role without one is judged by the suite as users have it.
var judgeOf = map[ledger.Role]string{
	ledger.Daemon:    "./conformance/mutants/judge/daemon",
	ledger.Extension: "./conformance/mutants/judge/simulator",
	ledger.Sim:       "./conformance/mutants/judge/simulator",
}

// patched builds the suite with the patched source in it and lets it judge
// itself.
func (l *Laboratory) patched(ctx context.Context, m Mutant) (*verdict.Stream, error) {
	dir, err := os.MkdirTemp(l.Scratch, "mutant-")
	if err != nil {
		return nil, fmt.Errorf("make room for the mutant: %w", err)
	}
	defer os.RemoveAll(dir)
	replaced, err := overlay(l.Root, dir, m.Patches)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "run.ndjson")
	program, args := filepath.Join(dir, "judge"), []string{"run", "--role", string(m.Role), "--seed", strconv.FormatUint(l.Seed, 10), "--out", out, "-j", "1"}
	source := judgeOf[m.Role]
	switch {
	case m.Lane == ledger.Real:
		if err := l.build(ctx, replaced, filepath.Join(dir, "omw"), "./cmd/omw"); err != nil {
			return nil, err
		}
		program, source = l.Suite, ""
		args = append(args, "--target", "exec:"+filepath.Join(l.Root, "conformance/targets/omw.json"), "--bin", dir, "--lane", "real", "--rule", m.Rule)
	case source == "":
		source = "./cmd/omw-conformance"
		args = append(args, "--target", m.target(), "--lane", "virtual")
		for _, id := range l.victims(m) {
			args = append(args, "--scenario", id)
		}
	default:
		args = append([]string{
			"-role", string(m.Role), "-target", m.target(), "-seed", strconv.FormatUint(l.Seed, 10), "-out", out,
		}, l.victims(m)...)
	}
	if source != "" {
		if err := l.build(ctx, replaced, program, source); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir // a broken daemon may write to wherever it stands
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	output, err := cmd.CombinedOutput()
	stream, readErr := readStream(out)
	if readErr != nil {
		return nil, fmt.Errorf("run the suite: %w (it ended with %v: %s)", readErr, err, tail(output))
	}
	return stream, nil
}

func (l *Laboratory) build(ctx context.Context, overlay, out, what string) error {
	// Without the symbol tables linking takes half the time, and nobody asks for
	// the revision of a mutant.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-overlay", overlay, "-ldflags", "-s -w", "-o", out, what)
	cmd.Dir = l.Root
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the mutant: %w: %s", err, tail(text))
	}
	return nil
}

func readStream(file string) (*verdict.Stream, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return verdict.Read(f)
}

// tail returns the end of a program's output.
func tail(text []byte) string {
	const most = 600
	return strings.TrimSpace(string(text[max(0, len(text)-most):]))
}
