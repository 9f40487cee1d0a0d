//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// job is what a test reads of a Kubernetes job.
type job struct {
	Kind string
	Spec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		BackoffLimitPerIndex *int `yaml:"backoffLimitPerIndex"`
		Template             struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Name          string
					Command, Args []string
					Env           []struct{ Name, Value string }
				}
			}
		}
	}
}

func jobs() ([]job, error) {
	text, err := os.ReadFile("../../conformance/ci/indexed-job.yaml")
	if err != nil {
		return nil, err
	}
	var all []job
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var j job
		if err := d.Decode(&j); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, j)
	}
}

// jobScripts writes what the containers of the published jobs do, so that it
// is done here: by the suite that lies, into the directory of the script.
func jobScripts(dir string) error {
	all, err := jobs()
	if err != nil {
		return err
	}
	here := strings.NewReplacer("omw-conformance run --target exec:/conformance/target.json", "liar run --target inproc --rule A-01 --rule A-02", "/out/", "out/")
	for _, j := range all {
		c := j.Spec.Template.Spec.Containers[0]
		if err := os.WriteFile(filepath.Join(dir, "job-"+c.Name), []byte(here.Replace(c.Args[0])), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func TestIndexedJob(t *testing.T) {
	all, err := jobs()
	require.NoError(t, err)
	require.Len(t, all, 2)
	part := all[0].Spec
	require.Equal(t, "Indexed", part.CompletionMode)
	require.Equal(t, part.Completions, part.Parallelism, "a waiting scenario of every part waits at once")
	require.NotNil(t, part.BackoffLimitPerIndex, "one part that fails must not end the others")
	for _, j := range all {
		require.Equal(t, "Job", j.Kind)
		pod := j.Spec.Template.Spec
		require.Equal(t, "Never", pod.RestartPolicy)
		require.Len(t, pod.Containers, 1)
		require.Equal(t, []string{"bash", "-euc"}, pod.Containers[0].Command)
		require.Equal(t, "PARTS", pod.Containers[0].Env[0].Name)
		require.Equal(t, fmt.Sprint(part.Completions), pod.Containers[0].Env[0].Value)
	}
}

// TestAction: everything that a workflow says reaches the script by its
// environment, and nothing is left over.
func TestAction(t *testing.T) {
	var action struct {
		Inputs  map[string]struct{ Description, Default string }
		Outputs map[string]struct{ Description, Value string }
		Runs    struct {
			Using string
			Steps []struct {
				Name, ID, Uses, Run, Shell, If string
				Env                            map[string]string
				With                           map[string]string
			}
		}
	}
	decode(t, "../../.github/actions/conformance/action.yml", &action)
	require.Equal(t, "composite", action.Runs.Using)
	said := ""
	for _, s := range action.Runs.Steps {
		require.NotContains(t, s.Run, "${{", "an expression in a script is code: %s", s.Name)
		if s.Run != "" {
			require.Equal(t, "bash", s.Shell)
		}
		said += s.If + "\n"
		for _, v := range s.Env {
			said += v + "\n"
		}
		for _, v := range s.With {
			said += v + "\n"
		}
	}
	for name, input := range action.Inputs {
		require.NotEmpty(t, input.Description)
		require.Regexp(t, `inputs\.`+regexp.QuoteMeta(name)+`\b`, said)
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(said, -1) {
		require.Contains(t, action.Inputs, m[1])
	}
	script, err := os.ReadFile("../../.github/actions/conformance/judge.sh")
	require.NoError(t, err)
	for _, s := range action.Runs.Steps {
		if s.ID != "judge" {
			continue
		}
		for name := range s.Env {
			require.Regexp(t, `\$\{`+name+`[:}]`, string(script))
		}
	}
	for _, output := range action.Outputs {
		name := strings.TrimSuffix(strings.TrimPrefix(output.Value, "${{ steps.judge.outputs."), " }}")
		require.Contains(t, string(script), `echo "`+name+`=`)
	}
}

func TestMatrix(t *testing.T) {
	var flow struct {
		Jobs map[string]struct {
			Needs    string
			Strategy struct {
				FailFast *bool `yaml:"fail-fast"`
				Matrix   struct{ Part []int }
			}
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	decode(t, "../../conformance/ci/matrix.yml", &flow)
	part := flow.Jobs["part"]
	require.NotNil(t, part.Strategy.FailFast)
	require.False(t, *part.Strategy.FailFast)
	for i, n := range part.Strategy.Matrix.Part {
		require.Equal(t, i+1, n)
	}
	shard := ""
	for _, s := range part.Steps {
		shard += s.With["shard"]
	}
	require.Equal(t, fmt.Sprintf("${{ matrix.part }}/%d", len(part.Strategy.Matrix.Part)), shard)
	require.Equal(t, "part", flow.Jobs["verdict"].Needs)
	last := flow.Jobs["verdict"].Steps[len(flow.Jobs["verdict"].Steps)-1]
	require.NotEmpty(t, last.With["merge"])
}

func decode(t *testing.T, path string, into any) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into))
}
