package inventory

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

var where = Where{Dir: "/project", Home: "/home/me"}

// shown is what a test compares of a host.
func shown(h Host) string {
	var way []string
	for _, b := range h.Target.Bastions {
		way = append(way, b.User+"@"+b.Address())
	}
	return strings.Join([]string{
		h.Name, h.Pool, h.Target.User + "@" + h.Target.Address(), strings.Join(h.Target.KeyFiles, ","), h.KnownHosts, strings.Join(way, ","), h.Profile.Name,
	}, "|")
}

func compare(t *testing.T, hosts []Host, want ...string) {
	t.Helper()
	if len(hosts) != len(want) {
		t.Fatalf("%d hosts, want %d: %v", len(hosts), len(want), hosts)
	}
	for n, h := range hosts {
		if shown(h) != want[n] {
			t.Errorf("host %d is\n%s, want\n%s", n, shown(h), want[n])
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	hosts, err := Parse([]byte(`# the rack
10.0.0.1
ubuntu@10.0.0.2:2222 key=~/.ssh/rack known_hosts=known_hosts pool=rack profile=gaudi-training # with a comment
root@gpu1.example bastion=a@b1,c@b2:2200 key=/keys/x

[2001:db8::1]:23 user=admin
gpu2 user=u port=2022
`), where)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, hosts,
		"10.0.0.1||@10.0.0.1:22||||",
		"10.0.0.2:2222|rack|ubuntu@10.0.0.2:2222|/home/me/.ssh/rack|/project/known_hosts||gaudi-training",
		"gpu1.example||root@gpu1.example:22|/keys/x||a@b1:22,c@b2:2200|",
		"[2001:db8::1]:23||admin@[2001:db8::1]:23||||",
		"gpu2||u@gpu2:2022||||",
	)
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	training, _ := profile.BuiltIn(profile.Training)
	rack := Pool{
		Hosts: []string{"10.0.0.1", "root@10.0.0.2:23"}, User: "ubuntu", Port: 2222, KeyFile: "~/.ssh/rack", KnownHosts: "known_hosts",
		Bastion: "jump@203.0.113.10", Profile: training.Extend("mine", map[string]string{"thp.enabled": "never"}),
	}
	pools := map[string]any{"rack": rack.Output(), "gpu": map[string]any{"launchTemplateId": "lt-1"}}
	want := []string{
		"10.0.0.1|rack|ubuntu@10.0.0.1:2222|/home/me/.ssh/rack|/project/known_hosts|jump@203.0.113.10:22|mine",
		"10.0.0.2:23|rack|root@10.0.0.2:23|/home/me/.ssh/rack|/project/known_hosts|jump@203.0.113.10:22|mine",
	}
	hosts, err := Outputs(pools, where)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, hosts, want...)
	if hosts[0].Profile.Values["thp.enabled"] != "never" {
		t.Errorf("the profile is %v", hosts[0].Profile)
	}
	// What a stack prints is a file.
	text, err := json.Marshal(map[string]any{"region": "us-west-2", "pools": pools})
	if err != nil {
		t.Fatal(err)
	}
	if hosts, err = Parse(text, where); err != nil {
		t.Fatal(err)
	}
	compare(t, hosts, want...)
	if hosts, err = Parse([]byte(`{"pools": {"x": {"hosts": ["h"], "profile": "minimal"}}}`), where); err != nil {
		t.Fatal(err)
	}
	compare(t, hosts, "h|x|@h:22||||minimal")
}

func TestEveryMistakeIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"a:99999\nb kee=x\nc profile=trainin\nd key\n": {
			`line 1: "a:99999" is no host`, `line 2: there is no option "kee": did you mean key?`,
			`line 3: there is no built-in profile "trainin": did you mean training?`, `line 4: "key" is no option: write KEY=VALUE`,
		},
		"a\nroot@a:22\n":                {"a:22 is there twice"},
		"a bastion=@\n":                 {"line 1: bastion: \"@\" is no host"},
		"a bastion=b\nb\na bastion=b\n": {"a:22 behind b:22 is there twice"},
		`{"pools": {"x": {"hosts": ["a"], "port": 70000}}}`: {"port 70000"},
		"a port=0":                                              {`port "0" is no number`},
		`{"pools": {"x": {"hosts": ["a b"]}}}`:                  {`pool x: "a b" is no host`},
		`{"pools": {"x": {"hosts": ["a"], "usr": 1}}}`:          {"pool x", "usr"},
		`{"pools": {"x": {"hosts": ["a"], "profile": "none"}}}`: {`pool x: there is no built-in profile "none"`},
		`{"hosts": []}`:                                         {`no object "pools"`},
		`{"pools": [`:                                           {"reading JSON"},
	} {
		_, err := Parse([]byte(text), where)
		if err == nil {
			t.Errorf("%q is taken", text)
			continue
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q is not said of %q:\n%v", w, text, err)
			}
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	hosts, err := Words(Pool{Hosts: []string{"a", "b@c"}, User: "root", KeyFile: "k"}, where)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, hosts, "a||root@a:22|/project/k|||", "c||b@c:22|/project/k|||")
	if _, err := Words(Pool{Hosts: []string{"a", "a"}}, where); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("twice: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("ubuntu@10.0.0.2:2222 key=~/.ssh/rack profile=training\n")
	f.Add(`{"pools": {"x": {"hosts": ["a"], "profile": {"name": "n", "values": {"a": "b"}}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		hosts, err := Parse([]byte(text), where)
		if err != nil {
			return
		}
		for _, h := range hosts {
			if h.Target.Host == "" || h.Name == "" {
				t.Errorf("a host without a name: %+v", h)
			}
		}
	})
}
