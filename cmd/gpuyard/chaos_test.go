package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
)

// What `make test-chaos` sets; without it, a little of everything is done.
var (
	kills     = flag.Int("kills", 2, "how many times TestChaos kills the command line")
	killSeed  = flag.Uint64("kill-seed", 20261130, "where: the same seed chooses the same points")
	allFaults = flag.Bool("all-faults", false, "strike every resource type in TestChaos, and not only some")
)

// killsInARow is how often one environment is killed before it may come up whole.
const killsInARow = 5

// chaosBlueprint is small, and has one of everything that every environment has.
const chaosBlueprint = `environment "chaos" {
  region             = "us-west-2"
  kubernetes_version = "1.35"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["us-west-2a", "us-west-2b"]
  nat   = "single"
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
`

// TestChaos lets go wrong what can, with a real build of the command line. Each time, the next up converges: there is what
// an undisturbed run makes, nothing else and nothing twice, the state knows all of it, and destroy leaves nothing.
func TestChaos(t *testing.T) {
	t.Parallel()
	calm := newChaos(t, buildCLI(t))
	calm.gpuyard("up", "--local", "chaos")
	want := calm.kinds()
	t.Run("killed", func(t *testing.T) {
		t.Logf("%d kills by -kill-seed %d", *kills, *killSeed)
		for i := 0; i*killsInARow < *kills; i++ {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				c, points := newChaos(t, calm.cli), rand.New(rand.NewPCG(*killSeed, uint64(i)))
				for _, made := range steps(points, min(killsInARow, *kills-i*killsInARow), calm.made()) {
					later, withEngine := time.Duration(points.IntN(60))*time.Millisecond, points.IntN(2) == 0
					if !c.kill(made, later, withEngine) { // it had nothing more to make
						c.kill(0, 20*later, withEngine)
					}
				}
				c.converges(want)
			})
		}
	})
	for _, kind := range []string{string(sim.Throttle), string(sim.Timeout), string(sim.Crash), string(sim.CrashAfter), string(sim.NoCapacity)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			c := newChaos(t, calm.cli)
			c.strikeEach(kind, struckTypes(kind, calm.exists()))
			c.converges(want)
		})
	}
}

// struckTypes are the resource types that a kind of fault is to strike.
func struckTypes(kind string, made []sim.Resource) []string {
	const nodes = "aws:eks/nodeGroup:NodeGroup"
	if kind == string(sim.NoCapacity) {
		return []string{nodes}
	}
	if !*allFaults {
		return []string{"aws:ec2/vpc:Vpc", nodes}
	}
	var all []string
	for _, r := range made {
		if r.URN != "" && !slices.Contains(all, r.Token) {
			all = append(all, r.Token)
		}
	}
	return all
}

// strikeEach brings the environment up as often as it takes for a fault to strike the first creation of each type: as
// many in one run as come to it.
func (c *chaos) strikeEach(kind string, types []string) {
	c.Helper()
	struck := regexp.MustCompile(`\[injected fault ` + regexp.QuoteMeta(kind) + `@([^,\]]+)`)
	for len(types) > 0 {
		var faults strings.Builder
		for _, typ := range types {
			fmt.Fprintf(&faults, "%s@%s\n", kind, typ)
		}
		path := filepath.Join(c.dir, "faults.txt")
		if err := os.WriteFile(path, []byte(faults.String()), 0o600); err != nil {
			c.Fatal(err)
		}
		out, err := c.command("up", "--local", "chaos", "--fault-file", path).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
			c.Fatalf("with %v to come it ended with %v\n%s", types, err, out)
		}
		found := struck.FindAllStringSubmatch(string(out), -1)
		if len(found) == 0 {
			c.Fatalf("none of %v was struck\n%s", types, out)
		}
		for _, f := range found {
			types = slices.DeleteFunc(types, func(typ string) bool { return typ == f[1] })
		}
	}
}

// converges brings the environment up undisturbed and holds it against what such a run makes.
func (c *chaos) converges(want map[string]int) {
	c.Helper()
	c.gpuyard("up", "--local", "chaos")
	if got := c.kinds(); !reflect.DeepEqual(got, want) {
		c.Errorf("the cloud has %v, and after an undisturbed run %v", got, want)
	}
	c.check()
	c.gpuyard("destroy", "--local", "chaos")
	if left := c.exists(); len(left) > 0 {
		c.Errorf("destroy left %s %s and %d more", left[0].Token, left[0].ID, len(left)-1)
	}
}

// steps divides a run that makes a number of resources by points at which it is killed: how many are made before each,
// since the one before.
func steps(points *rand.Rand, n, resources int) []int {
	var at []int
	for range n {
		at = append(at, points.IntN(resources))
	}
	slices.Sort(at)
	for i := len(at) - 1; i > 0; i-- {
		at[i] -= at[i-1]
	}
	return at
}

// chaos is a project in which things go wrong.
type chaos struct {
	*testing.T
	cli, dir string
}

// buildCLI builds the command line as a user does.
func buildCLI(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gpuyard")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the command line: %v\n%s", err, out)
	}
	return path
}

func newChaos(t *testing.T, cli string) *chaos {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	c := &chaos{t, cli, t.TempDir()}
	if err := newProject(repo, c.dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "stacks", "chaos.hcl"), []byte(chaosBlueprint), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// command is a run of the command line, not judged by policies, which have nothing to do with it and take time.
func (c *chaos) command(args ...string) *exec.Cmd {
	if args[0] == "up" {
		args = append(args, "--no-policy", "chaos")
	}
	cmd := exec.CommandContext(c.Context(), c.cli, args...)
	cmd.Dir = c.dir
	repo, err := filepath.Abs("../..")
	if err != nil {
		c.Fatal(err)
	}
	pulumi, err := engine.FindCLI(c.Context(), repo)
	if err != nil {
		c.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "GPUYARD_PULUMI="+pulumi.Path())
	return cmd
}

// gpuyard runs the command line, which must succeed.
func (c *chaos) gpuyard(args ...string) string {
	c.Helper()
	out, err := c.command(args...).CombinedOutput()
	if err != nil {
		c.Fatalf("gpuyard %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// kill begins an update and kills it when it has made a number of resources, and some time later. With its engine, the
// state says which operations were under way; without, the engine finds itself alone and writes what it takes for true. It
// reports false if the update was done before.
func (c *chaos) kill(made int, later time.Duration, withEngine bool) bool {
	c.Helper()
	cmd := c.command("up", "--local", "chaos")
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.Fatal(err)
	}
	var said, failed strings.Builder
	cmd.Stderr = &failed
	if err := cmd.Start(); err != nil {
		c.Fatal(err)
	}
	if made > 0 {
		for lines := bufio.NewScanner(out); made > 0 && lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			if strings.HasSuffix(lines.Text(), "created") || strings.Contains(lines.Text(), " created in ") || strings.Contains(lines.Text(), "is now in the state") {
				made--
			}
		}
	}
	time.Sleep(later)
	victims := []int{cmd.Process.Pid}
	if withEngine {
		victims = append(victims, children(cmd.Process.Pid)...)
	}
	for _, pid := range victims {
		_ = syscall.Kill(pid, syscall.SIGKILL) // one that ended just now is dead as well
	}
	_ = cmd.Wait()
	if state := cmd.ProcessState; state.Exited() && state.ExitCode() != exitOK {
		c.Fatalf("it failed by itself, with %d: %d more creations were awaited\n%s\n%s", state.ExitCode(), made, &said, &failed)
	}
	return !cmd.ProcessState.Exited()
}

// children are the processes that a process has started.
func children(pid int) []int {
	var all []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well-formed
	for _, path := range tasks {
		text, _ := os.ReadFile(path) // a thread that has ended has none
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// exists is what the embedded cloud has.
func (c *chaos) exists() []sim.Resource {
	c.Helper()
	cloud, err := sim.NewCloud(sim.Options{Dir: cloudDir(c.dir, "chaos")})
	if err != nil {
		c.Fatal(err)
	}
	defer func() { _ = cloud.Close() }()
	return cloud.Resources()
}

// kinds is how many resources of each type exist.
func (c *chaos) kinds() map[string]int {
	c.Helper()
	all := map[string]int{}
	for _, r := range c.exists() {
		all[r.Token]++
	}
	return all
}

// made is how many resources were made for the stack.
func (c *chaos) made() int {
	n := 0
	for _, r := range c.exists() {
		if r.URN != "" {
			n++
		}
	}
	return n
}

// check holds the state against the cloud: each knows what the other has.
func (c *chaos) check() {
	c.Helper()
	path := filepath.Join(engine.LocalDir(c.dir, "chaos"), "state", ".pulumi", "stacks", "gpuyard", "chaos.json")
	text, err := os.ReadFile(path)
	if err != nil {
		c.Fatal(err)
	}
	var file struct {
		Checkpoint struct {
			Latest struct {
				Resources []struct{ Type, URN, ID string }
				Pending   []any `json:"pending_operations"`
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		c.Fatal(err)
	}
	if n := len(file.Checkpoint.Latest.Pending); n > 0 {
		c.Errorf("%d operations are still open in the state", n)
	}
	known := map[string]bool{}
	for _, r := range file.Checkpoint.Latest.Resources {
		if r.ID != "" && !strings.HasPrefix(r.Type, "pulumi:") {
			known[r.Type+" "+r.ID] = true
		}
	}
	for _, r := range c.exists() {
		if r.URN != "" && !known[r.Token+" "+r.ID] {
			c.Errorf("%s %s is orphaned", r.Token, r.ID)
		}
		delete(known, r.Token+" "+r.ID)
	}
	for r := range known {
		c.Errorf("%s is in the state, and does not exist", r)
	}
}
