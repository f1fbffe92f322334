package fleet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
)

// play runs a schedule whose hosts finish in the order in which they started, and says what happens: "+n" a start, "-n"
// an end, "!n" a failure.
func play(s fleet.Schedule, fails ...int) string {
	var running []int
	var story []string
	for !s.Over() {
		for {
			n, ok := s.Start()
			if !ok {
				break
			}
			running = append(running, n)
			story = append(story, fmt.Sprintf("+%d", n))
		}
		n := running[0]
		running = running[1:]
		failed, mark := false, "-"
		for _, f := range fails {
			if f == n {
				failed, mark = true, "!"
			}
		}
		s.Finish(failed)
		story = append(story, fmt.Sprintf("%s%d", mark, n))
	}
	return strings.Join(story, " ")
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s     fleet.Schedule
		fails []int
		want  string
	}{
		"one after the other":           {fleet.Schedule{Hosts: 3}, nil, "+0 -0 +1 -1 +2 -2"},
		"two at once":                   {fleet.Schedule{Hosts: 4, Concurrency: 2}, nil, "+0 +1 -0 +2 -1 +3 -2 -3"},
		"the canary alone first":        {fleet.Schedule{Hosts: 4, Canaries: 1, Concurrency: 3}, nil, "+0 -0 +1 +2 +3 -1 -2 -3"},
		"two canaries together":         {fleet.Schedule{Hosts: 4, Canaries: 2, Concurrency: 3}, nil, "+0 +1 -0 -1 +2 +3 -2 -3"},
		"a canary that fails":           {fleet.Schedule{Hosts: 4, Canaries: 1, Concurrency: 3}, []int{0}, "+0 !0"},
		"one of two canaries fails":     {fleet.Schedule{Hosts: 4, Canaries: 2, Concurrency: 3}, []int{0}, "+0 +1 !0 -1"},
		"others fail and all is done":   {fleet.Schedule{Hosts: 3, Canaries: 1}, []int{1, 2}, "+0 -0 +1 !1 +2 !2"},
		"stops after two":               {fleet.Schedule{Hosts: 6, StopAfter: 2}, []int{1, 2}, "+0 -0 +1 !1 +2 !2"},
		"what runs is let finish":       {fleet.Schedule{Hosts: 6, StopAfter: 1, Concurrency: 3}, []int{0}, "+0 +1 +2 !0 -1 -2"},
		"fewer hosts than canaries":     {fleet.Schedule{Hosts: 1, Canaries: 5}, nil, "+0 -0"},
		"waves of two":                  {fleet.Schedule{Hosts: 6, Canaries: 1, Wave: 2, Concurrency: 9}, nil, "+0 -0 +1 +2 -1 -2 +3 +4 -3 -4 +5 -5"},
		"a wave that is not full":       {fleet.Schedule{Hosts: 5, Wave: 2, Concurrency: 1}, nil, "+0 -0 +1 -1 +2 -2 +3 -3 +4 -4"},
		"waves stop as well":            {fleet.Schedule{Hosts: 6, Wave: 2, Concurrency: 9, StopAfter: 1}, []int{1}, "+0 +1 -0 !1"},
		"nobody":                        {fleet.Schedule{}, nil, ""},
		"as many canaries as there are": {fleet.Schedule{Hosts: 2, Canaries: 2, Concurrency: 9}, []int{1}, "+0 +1 -0 !1"},
	} {
		if got := play(c.s, c.fails...); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

// FuzzSchedule holds what must hold of any fleet: no more at once than allowed, nobody beside the canaries before they
// are back, and an end.
func FuzzSchedule(f *testing.F) {
	f.Add(10, 2, 3, 1, uint64(5))
	f.Fuzz(func(t *testing.T, hosts, canaries, concurrency, stop int, fails uint64) {
		hosts, canaries, concurrency = abs(hosts)%60, abs(canaries)%10, abs(concurrency)%10
		s := fleet.Schedule{Hosts: hosts, Canaries: canaries, Concurrency: concurrency, StopAfter: abs(stop) % 5}
		running, ended, started := 0, 0, 0
		for steps := 0; !s.Over(); steps++ {
			if steps > 2*hosts+2 {
				t.Fatal("it does not end")
			}
			for {
				n, ok := s.Start()
				if !ok {
					break
				}
				if n != started || n >= canaries && ended < min(canaries, hosts) {
					t.Fatalf("host %d starts when %d have ended", n, ended)
				}
				started++
				running++
			}
			if running == 0 {
				t.Fatal("nothing runs, and it is not over")
			}
			if running > max(1, concurrency) {
				t.Fatalf("%d run at once", running)
			}
			s.Finish(fails>>(ended%64)&1 == 1)
			running--
			ended++
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }
