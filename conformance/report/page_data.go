package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// pageData is what the template of the page says.
type pageData struct {
	Style  template.CSS
	Script template.JS
	Header *verdict.Header
	// Tone is good, bad or wrong: what the page's head looks like.
	Tone, Why, Target, Command string
	Exit                       verdict.Exit
	Facts                      []pageFact
	Marks                      []pageMark
	Levels                     []pageLevel
	Stale                      []string
	Areas                      []pageArea
	Broken                     []string
	Rules                      int
	left                       int
}

type pageFact struct{ Name, Value string }

// pageMark is a verdict and how many rules have it.
type pageMark struct {
	Mark  verdict.Mark
	Class string
	Count int
	// Share is its part of all rules, in percent.
	Share string
}

type pageLevel struct {
	Name string
	verdict.Counts
}

type pageArea struct {
	Name  string
	Rules []pageRule
}

type pageRule struct {
	verdict.RuleVerdict
	Class, Lane, Done, Wall, Virtual string
	// Open is true for a rule that its reader came for.
	Open      bool
	Observers string
	Scenarios []pageScenario
}

type pageScenario struct {
	ID, Outcome, Class, Wall, Virtual, Note string
	Failure                                 *pageFailure
}

type pageFailure struct {
	Check, Cause, Step, Reason, Again, Transcript string
	Known                                         string
	Lines                                         int
	Diagram                                       template.HTML
}

// markOrder is the order in which verdicts are listed: what wants attention
// first.
var markOrder = []struct {
	mark  verdict.Mark
	class string
}{
	{verdict.Broken, "failed"},
	{verdict.Missing, "missing"},
	{verdict.Untested, "missing"},
	{verdict.Expected, "expected"},
	{verdict.FailedFlaky, "flaky"},
	{verdict.Kept, "passed"},
	{verdict.Part, "part"},
	{verdict.Hidden, "hidden"},
	{verdict.LeftOut, "skipped"},
	{verdict.Unplanned, "none"},
	{verdict.Unjudged, "none"},
}

func classOf(m verdict.Mark) string {
	for _, o := range markOrder {
		if o.mark == m {
			return o.class
		}
	}
	return "failed"
}

func newPage(s *verdict.Stream, v *verdict.Verdict) (*pageData, error) {
	h := s.Header
	p := &pageData{
		Header: h, Why: printable(v.Why), Exit: v.Exit, Target: printable(h.Target.Kind + ":" + h.Target.Name),
		Command: printable(commandLine(h)), Rules: len(v.Rules), left: diagramsOfPage,
	}
	p.Tone = map[verdict.Exit]string{verdict.Conformant: "good", verdict.Nonconformant: "bad"}[v.Exit]
	if p.Tone == "" {
		p.Tone = "wrong"
	}
	p.facts(s)
	for _, line := range v.Stale {
		p.Stale = append(p.Stale, printable(line))
	}
	p.marks(v)
	for _, l := range v.Levels {
		p.Levels = append(p.Levels, pageLevel{string(l.Level), l.Counts})
	}
	if len(p.Levels) > 1 {
		p.Levels = append(p.Levels, pageLevel{"both", v.Counts})
	}
	for i := range v.Rules {
		r, err := p.rule(h, &v.Rules[i])
		if err != nil {
			return nil, err
		}
		if r.Open {
			p.Broken = append(p.Broken, r.ID)
		}
		area, _, _ := strings.Cut(r.ID, "-")
		at := slices.IndexFunc(p.Areas, func(a pageArea) bool { return a.Name == area })
		if at < 0 {
			at, p.Areas = len(p.Areas), append(p.Areas, pageArea{Name: area})
		}
		p.Areas[at].Rules = append(p.Areas[at].Rules, r)
	}
	return p, nil
}

func (p *pageData) facts(s *verdict.Stream) {
	h := s.Header
	add := func(name, value string) {
		if value != "" {
			p.Facts = append(p.Facts, pageFact{name, printable(value)})
		}
	}
	add("role", string(h.Role))
	add("lane", string(h.Lane))
	add("seed", fmt.Sprint(h.Seed))
	if h.Shard != nil {
		add("part", h.Shard.String())
	}
	add("suite", h.Suite)
	add("started", h.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
	add("took", round(s.Footer.Took))
	if h.Lane == ledger.Virtual {
		var elapsed time.Duration
		for _, e := range s.Finished {
			elapsed += e.Elapsed
		}
		add("virtual time", elapsed.Round(time.Second).String())
	}
	add("exit code", fmt.Sprint(int(p.Exit)))
}

func (p *pageData) marks(v *verdict.Verdict) {
	for _, o := range markOrder {
		n := 0
		for i := range v.Rules {
			if v.Rules[i].Mark == o.mark {
				n++
			}
		}
		if n > 0 {
			share := fmt.Sprintf("%.3f%%", 100*float64(n)/float64(len(v.Rules)))
			p.Marks = append(p.Marks, pageMark{o.mark, o.class, n, share})
		}
	}
}

func (p *pageData) rule(h *verdict.Header, r *verdict.RuleVerdict) (pageRule, error) {
	out := pageRule{RuleVerdict: *r, Class: classOf(r.Mark), Open: r.Mark == verdict.Broken || r.Mark == verdict.Missing}
	out.Sentence = printable(r.Sentence)
	for i, o := range r.Observers {
		if i > 0 {
			out.Observers += ", "
		}
		out.Observers += string(o)
	}
	var wall, virtual time.Duration
	passed, drawn := 0, 0
	for i := range r.Of {
		s := &r.Of[i]
		one, err := p.scenario(h, s, drawn < diagramsOfRule)
		if err != nil {
			return out, err
		}
		if one.Failure != nil && one.Failure.Diagram != "" {
			drawn++
		}
		out.Scenarios = append(out.Scenarios, one)
		if e := s.Event; e != nil {
			out.Lane = string(e.Lane)
			wall, virtual = wall+e.Took, virtual+e.Elapsed
			if e.Outcome == verdict.Passed || e.Outcome == verdict.Allowed {
				passed++
			}
		}
	}
	if len(r.Of) > 0 {
		out.Done, out.Wall = fmt.Sprintf("%d/%d", passed, len(r.Of)), round(wall)
		if out.Lane == string(ledger.Virtual) && virtual > 0 {
			out.Virtual = round(virtual)
		}
	}
	return out, nil
}

func (p *pageData) scenario(h *verdict.Header, s *verdict.ScenarioVerdict, draw bool) (pageScenario, error) {
	e := s.Event
	if e == nil {
		return pageScenario{ID: printable(s.ID), Outcome: string(notRun), Class: "missing"}, nil
	}
	out := pageScenario{ID: printable(s.ID), Outcome: string(e.Outcome), Wall: round(e.Took)}
	if e.Lane == ledger.Virtual {
		out.Virtual = round(e.Elapsed)
	}
	switch {
	case s.Surprise:
		out.Outcome, out.Class, out.Note = "unexpected pass", "missing", "it was expected to fail: "+s.Expected
	case e.Outcome == verdict.Passed:
		out.Class = "passed"
	case e.Outcome == verdict.Allowed:
		out.Class, out.Note = "passed", strings.Join(e.Allowed, ", ")
	case e.Outcome == verdict.Unobservable:
		out.Class, out.Note = "hidden", e.Reason
	case e.Outcome == verdict.Skipped:
		out.Class, out.Note = "skipped", e.Reason
	case s.Excused() && s.Expected != "":
		out.Outcome, out.Class, out.Note = "failed as expected", "expected", s.Expected
	case s.Excused():
		out.Outcome, out.Class, out.Note = "flaky failure", "flaky", s.Flaky
	default:
		out.Class = "failed"
	}
	out.Note = printable(out.Note)
	if e.Outcome != verdict.Failed {
		return out, nil
	}
	f := &pageFailure{
		Check: printable(e.Check), Cause: string(e.Cause), Step: printable(e.Step), Reason: printable(e.Reason),
		Again: printable(Repeat(h, s.ID)), Transcript: printable(said(e)), Lines: len(e.Transcript),
	}
	if !s.Excused() && s.Expected+s.Flaky != "" {
		f.Known = printable("it was expected to fail (" + s.Expected + s.Flaky + "), but not like that")
	}
	out.Failure = f
	if !draw || p.left == 0 || len(e.Transcript) == 0 {
		return out, nil
	}
	p.left--
	var err error
	f.Diagram, err = drawn(h, s)
	return out, err
}
