package mutants

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
)

// Mutant is one way in which the party of a role breaks a rule.
type Mutant struct {
	// Name is unique in its role: AUTH-05-query, LIMIT-02-Commands+1.
	Name string
	// Role is the party that breaks the rule, Target the one that stands for it,
	// as --target names it; "" means the role's own.
	Role   ledger.Role
	Target string
	// Rule is the rule that it breaks, and Breaks how.
	Rule   string
	Breaks string
	// Lane is where it is tried; the real one costs a daemon's process.
	Lane ledger.Lane
	// Collateral are the other rules that cannot hold where this one is broken,
	// each with the reason.
	Collateral map[string]string

	// Exactly one of the following is set.
	Limit     *Limit
	Patches   []Patch
	Simulated *Simulated
}

// Patch replaces text in one file of the module's source.
type Patch struct {
	// File is the file's path from the root of the module.
	File string
	// Old stands in the file exactly once; New replaces it.
	Old, New string
}

// The patches of a role lie in a folder of its name.
//
//go:embed patches/*.mutant patches/extension/*.mutant patches/client/*.mutant patches/sim/*.mutant
var patches embed.FS

// folders are where the patches of each role lie.
var folders = []struct {
	role ledger.Role
	dir  string
}{
	{ledger.Daemon, "patches"},
	{ledger.Extension, "patches/extension"},
	{ledger.Client, "patches/client"},
	{ledger.Sim, "patches/sim"},
}

// Catalogue returns every mutant, by role, rule and name.
func Catalogue() ([]Mutant, error) {
	all := append(limits(), simulated()...)
	for _, from := range folders {
		some, err := patchesIn(from.dir, from.role)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b Mutant) int {
		return cmp.Or(
			cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Name, b.Name),
		)
	})
	return all, nil
}

func patchesIn(dir string, role ledger.Role) ([]Mutant, error) {
	files, err := patches.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the patches: %w", err)
	}
	var all []Mutant
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		name := path.Join(dir, f.Name())
		text, err := patches.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the patches: %w", err)
		}
		m, err := parse(strings.TrimSuffix(f.Name(), ".mutant"), text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.Role = role
		all = append(all, m)
	}
	return all, nil
}

// parse reads a patch file: a txtar archive whose comment holds the fields rule,
// breaks, lane, target and collateral (a rule and the reason, repeatable), and whose
// files hold the replacements, each as
//
//	<<<<<<<
//	the old lines
//	=======
//	the new ones
//	>>>>>>>
func parse(name string, text []byte) (Mutant, error) {
	archive := txtar.Parse(text)
	m := Mutant{Name: name, Lane: ledger.Virtual, Collateral: map[string]string{}}
	for line := range strings.Lines(string(archive.Comment)) {
		field, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch field {
		case "rule":
			m.Rule = value
		case "breaks":
			m.Breaks = value
		case "lane":
			m.Lane = ledger.Lane(value)
		case "target":
			m.Target = value
		case "collateral":
			rule, why, _ := strings.Cut(value, " ")
			if !ledger.IsID(rule) || why == "" {
				return m, fmt.Errorf("collateral must be a rule and a reason, not %q", value)
			}
			m.Collateral[rule] = why
		case "":
		default:
			return m, fmt.Errorf("the field %q is unknown", field)
		}
	}
	switch {
	case !ledger.IsID(m.Rule) || !strings.HasPrefix(name, m.Rule+"-"):
		return m, fmt.Errorf("the rule is %q, and the file's name must begin with it", m.Rule)
	case m.Breaks == "":
		return m, fmt.Errorf("it does not say what it breaks")
	case m.Lane != ledger.Virtual && m.Lane != ledger.Real:
		return m, fmt.Errorf("the lane %q is unknown", m.Lane)
	}
	for _, f := range archive.Files {
		replacements, err := replacements(f)
		if err != nil {
			return m, fmt.Errorf("%s: %w", f.Name, err)
		}
		m.Patches = append(m.Patches, replacements...)
	}
	if len(m.Patches) == 0 {
		return m, fmt.Errorf("it replaces nothing")
	}
	return m, nil
}

func replacements(f txtar.File) ([]Patch, error) {
	var out []Patch
	rest := string(f.Data)
	for strings.TrimSpace(rest) != "" {
		block, found := strings.CutPrefix(rest, "<<<<<<<\n")
		before, after, split := strings.Cut(block, "=======\n")
		with, behind, ended := strings.Cut(after, ">>>>>>>\n")
		if !found || !split || !ended || strings.Contains(before, ">>>>>>>") || strings.Contains(with, "<<<<<<<") {
			return nil, fmt.Errorf("replacement %d is not written as <<<<<<< ======= >>>>>>>", len(out)+1)
		}
		out = append(out, Patch{
			File: f.Name,
			Old:  strings.TrimSuffix(before, "\n"), New: strings.TrimSuffix(with, "\n"),
		})
		rest = behind
	}
	return out, nil
}
