package pack_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/policy/internal/fixture"
	"github.com/gpuyard/gpuyard/policy/pack"
)

// allFixtures reads the fixtures of all policies.
func allFixtures(t testing.TB) []*fixture.Fixture {
	t.Helper()
	var all []*fixture.Fixture
	for _, p := range pack.Policies() {
		all = append(all, fixturesOf(t, p)...)
	}
	return all
}

// source deals out the bytes of a fuzz input, and zeroes when they are used up.
type source struct{ bytes []byte }

func (s *source) next() int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	return int(b)
}

func (s *source) text() string {
	n := min(s.next(), len(s.bytes))
	text := string(s.bytes[:n])
	s.bytes = s.bytes[n:]
	return text
}

// value makes a property of any kind.
func (s *source) value(depth int) property.Value {
	v := property.Value{}
	switch s.next() % 9 {
	case 0:
		v = property.New(s.text())
	case 1:
		v = property.New(float64(s.next()) - 128)
	case 2:
		v = property.New(s.next()%2 == 0)
	case 3:
		v = property.New(property.Computed)
	case 4:
		list := []property.Value{}
		for range s.next() % 4 {
			if depth < 6 {
				list = append(list, s.value(depth+1))
			}
		}
		v = property.New(list)
	case 5:
		entries := map[string]property.Value{}
		for range s.next() % 4 {
			if depth < 6 {
				entries[s.text()] = s.value(depth + 1)
			}
		}
		v = property.New(entries)
	case 6:
		v = property.New([]string{"*", "-1", "0.0.0.0/0", "true", "$LATEST", "efa-only", "p5.48xlarge", "{}", `{"Statement":[]}`}[s.next()%9])
	case 7:
		v = property.New([]float64{0, -1, 1e308, 5e-324, 65536}[s.next()%5])
	}
	return v.WithSecret(s.next()%7 == 0)
}

// mutate replaces one value at a place that the source picks.
func (s *source) mutate(v property.Value) property.Value {
	switch {
	case v.IsMap() && v.AsMap().Len() > 0 && s.next()%4 > 0:
		m := v.AsMap()
		key := slices.Sorted(maps.Keys(m.AsMap()))[s.next()%m.Len()]
		return property.New(m.Set(key, s.mutate(m.Get(key)))).WithSecret(v.Secret())
	case v.IsArray() && v.AsArray().Len() > 0 && s.next()%4 > 0:
		list := v.AsArray().AsSlice()
		i := s.next() % len(list)
		list[i] = s.mutate(list[i])
		return property.New(list).WithSecret(v.Secret())
	default:
		return s.value(0)
	}
}

// FuzzProperties changes the resources of fixtures in places, to values of any kind, and shows them to every policy. No
// policy panics, and none shows a secret.
func FuzzProperties(f *testing.F) {
	all := allFixtures(f)
	for i := range 40 {
		f.Add(uint16(i*7), []byte{byte(i), 3, 1, 0, 5, 'w', 'o', 'r', 'd', 's'})
	}
	f.Fuzz(func(t *testing.T, which uint16, data []byte) {
		s := &source{data}
		from := all[int(which)%len(all)]
		resources := slices.Clone(from.Resources)
		for range 1 + s.next()%4 {
			r := &resources[s.next()%len(resources)]
			if changed := s.mutate(property.New(r.Properties)); changed.IsMap() {
				r.Properties = changed.AsMap()
			}
		}
		hidden := "hidden-" + "value"
		first := &resources[0]
		first.Properties = first.Properties.Set("description", property.New(hidden).WithSecret(true))
		stack := pack.NewStack(resources, fixture.Now())
		for _, p := range pack.Policies() {
			for _, message := range messages(p, resources, stack) {
				if strings.Contains(message, hidden) {
					t.Errorf("%s shows a secret: %s", p.Name, message)
				}
			}
		}
	})
}

// messages runs one policy over resources.
func messages(p *pack.Policy, resources []pack.Resource, stack *pack.Stack) []string {
	config := p.WithDefaults(pack.Config{})
	var said []string
	if p.Stack != nil {
		for _, f := range p.Stack(stack, config) {
			said = append(said, f.Message)
		}
		return said
	}
	for i := range resources {
		switch {
		case !p.Judges(resources[i].Type):
		case p.Remedy != nil:
			p.Remedy(&resources[i], config)
		default:
			for _, f := range p.Resource(&resources[i], config) {
				said = append(said, f.Message)
			}
		}
	}
	return said
}

// FuzzDocument reads policy documents and user data: texts that policies take apart.
func FuzzDocument(f *testing.F) {
	f.Add(`{"Statement":[{"Effect":"Allow","Principal":{"AWS":["*"]},"Action":"*","Resource":["*"],"Condition":{}}]}`)
	f.Add(`{"Statement":{"Principal":"*"}}`)
	f.Add("H4sIAAAAAAAA/wMAAAAAAAAAAAA=")
	f.Add("ssh -o StrictHostKeyChecking=no")
	f.Add("GPUYARD_BODY_ENDS\nH4sIAAAAAAAA/wMAAAAAAAAAAAA=\nGPUYARD_BODY_ENDS\n")
	f.Fuzz(func(t *testing.T, text string) {
		v := property.New(text)
		props := property.NewMap(map[string]property.Value{"policy": v, "assumeRolePolicy": v, "userData": v, "imageId": v, "version": v,
			"chart": v, "inlinePolicies": property.New([]property.Value{property.New(map[string]property.Value{"policy": v})})})
		for _, p := range pack.Policies() {
			for _, token := range p.Tokens {
				messages(p, []pack.Resource{{URN: "u", Type: token, Name: "n", Properties: props}}, nil)
			}
			if p.Resource != nil && len(p.Tokens) == 0 {
				messages(p, []pack.Resource{{URN: "u", Type: "any", Name: "n", Properties: props}}, nil)
			}
		}
	})
}

// TestHugeAndDeepValues shows every policy a list of a million entries wherever it reads a list, and a value nested a hundred
// thousand levels deep wherever it reads anything. It takes a bounded time.
func TestHugeAndDeepValues(t *testing.T) {
	t.Parallel()
	entries := make([]property.Value, 1_000_000)
	for i := range entries {
		entries[i] = property.New("0.0.0.0/0")
	}
	deep := property.New("bottom")
	for range 100_000 {
		deep = property.New([]property.Value{deep})
	}
	start := time.Now()
	for _, v := range []property.Value{property.New(entries), deep} {
		for _, f := range allFixtures(t) {
			if f.Name() != "fail" {
				continue
			}
			for i := range f.Resources {
				r := f.Resources[i]
				for name, old := range r.Properties.All {
					if old.IsArray() || v.AsArray().Len() == 1 {
						r.Properties = r.Properties.Set(name, v)
					}
				}
				stack := pack.NewStack([]pack.Resource{r}, fixture.Now())
				messages(f.Policy, []pack.Resource{r}, stack)
			}
		}
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("it took %v", took)
	}
}
