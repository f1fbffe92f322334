package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/policy/check"
)

// recordingCLI makes previews print their plan as JSON, and keeps it.
type recordingCLI struct {
	auto.PulumiCommand
	plan string
}

func (c *recordingCLI) Run(ctx context.Context, workdir string, stdin io.Reader, out, errOut []io.Writer, env []string, args ...string) (string, string, int, error) {
	if !slices.Contains(args, "preview") {
		return c.PulumiCommand.Run(ctx, workdir, stdin, out, errOut, env, args...)
	}
	stdout, stderr, code, err := c.PulumiCommand.Run(ctx, workdir, stdin, out, errOut, env, append(args, "--json", "--show-sames")...)
	c.plan = stdout
	return stdout, stderr, code, err
}

// findings are a report in the form of a verdict.
func findings(r *check.Report) []string {
	var lines []string
	for _, f := range r.Findings {
		name := f.Name
		if name == "" {
			name = "broken" // the engine blames the stack
		}
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", f.Level, f.Policy.Name, name, f.Message))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// TestCheckSaysWhatTheEngineSays previews several broken programs as one. From the JSON of the preview the check without an
// engine says exactly what the engine says.
func TestCheckSaysWhatTheEngineSays(t *testing.T) {
	t.Parallel()
	recorder := &recordingCLI{}
	s := newStackWith(t, "broken", func(ctx *pulumi.Context) error {
		w, err := newWorld(ctx)
		if err != nil {
			return err
		}
		for _, name := range []string{"public-ssh", "efa-self-rules", "iam-admin-statement", "gpu-image-pinned", "addon-version-pinned"} {
			if err := broken[name](ctx, w); err != nil {
				return err
			}
		}
		return nil
	}, setup{pack: buildPack(t), cli: func(cli auto.PulumiCommand) auto.PulumiCommand { recorder.PulumiCommand = cli; return recorder }})
	verdict := s.preview(t)
	if len(verdict.violations) < 5 {
		t.Fatalf("the engine finds %q\n%v", verdict.violations, verdict.err)
	}
	// Without the pack: a preview that policies fail says that it failed, and may be cut short.
	if _, err := s.Preview(t.Context(), optpreview.SuppressProgress()); err != nil {
		t.Fatal(err)
	}
	plan, err := check.Read([]byte(recorder.plan[strings.Index(recorder.plan, "{"):]))
	if err != nil {
		t.Fatalf("%v\n%s", err, recorder.plan)
	}
	report := check.Judge(plan, nil, time.Now())
	if got := findings(report); !slices.Equal(got, verdict.violations) {
		t.Errorf("from the preview's JSON the check says\n%s\nand the engine\n%s", strings.Join(got, "\n"), strings.Join(verdict.violations, "\n"))
	}
}

// TestCheckReadsAnExport brings a right template up and judges the exported stack.
func TestCheckReadsAnExport(t *testing.T) {
	t.Parallel()
	s := newStack(t, "broken", buildPack(t), "", func(ctx *pulumi.Context) error {
		w, err := newWorld(ctx)
		if err != nil {
			return err
		}
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) { // a type of a past generation: advice, which stops nothing
			args.InstanceType = pulumi.String("m5.large")
		})
	})
	verdict := s.up(t)
	if verdict.err != nil {
		t.Fatal(verdict.err)
	}
	export, err := s.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	src, err := json.Marshal(export)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.Read(src)
	if err != nil {
		t.Fatal(err)
	}
	report := check.Judge(plan, nil, time.Now())
	if got := findings(report); !slices.Equal(got, verdict.violations) || len(got) == 0 {
		t.Errorf("from the export the check says\n%s\nand the engine\n%s", strings.Join(got, "\n"), strings.Join(verdict.violations, "\n"))
	}
	var text bytes.Buffer
	if err := report.Text(&text); err != nil || report.Failed() {
		t.Errorf("%v\n%s", err, &text)
	}
}
