package fleet

// Schedule decides which host may start. The zero value of a limit is none, except Concurrency: one host at a time.
type Schedule struct {
	Hosts       int
	Canaries    int // that must all succeed before any other host starts
	Wave        int // how many hosts start, after the canaries, before all of them must be done
	Concurrency int
	StopAfter   int // failures after which no host starts any more; a failed canary stops at once

	started, running, finished, failed int
}

// Start returns the next host that may start now.
func (s *Schedule) Start() (host int, ok bool) {
	switch {
	case s.started == s.Hosts, s.Stopped(), s.running >= max(1, s.Concurrency):
		return 0, false
	case s.started >= s.Canaries && s.finished < min(s.Canaries, s.Hosts):
		return 0, false // the canaries are not back yet
	case s.Wave > 0 && s.started > s.Canaries && (s.started-s.Canaries)%s.Wave == 0 && s.running > 0:
		return 0, false // the wave is not over yet
	}
	host = s.started
	s.started++
	s.running++
	return host, true
}

// Finish takes note of a host that is done.
func (s *Schedule) Finish(failed bool) {
	s.running--
	s.finished++
	if failed {
		s.failed++
	}
}

// Stopped says whether no further host starts.
func (s *Schedule) Stopped() bool {
	if s.failed == 0 {
		return false
	}
	return s.StopAfter > 0 && s.failed >= s.StopAfter || s.finished <= s.Canaries
}

// Over says whether nothing runs and nothing will.
func (s *Schedule) Over() bool { return s.running == 0 && (s.started == s.Hosts || s.Stopped()) }
