package pack

var efaCount = Policy{
	Name: "efa-count", Level: Advisory, Area: Fabric,
	Summary: "A pool with EFA uses all EFAs of its instance type.",
	Why: "NCCL spreads its rings over all EFAs. Each one that is left out takes its share of the bandwidth away, which no error " +
		"shows: the job is just slower.",
	Fix:   "Attach the EFAs that the type has; `gpuyard catalog show TYPE` prints where.",
	Stack: judgeEFACount,
}

func judgeEFACount(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		have := len(p.efas())
		if have == 0 {
			continue
		}
		for _, t := range p.types {
			if have < t.MaxEFA {
				findings = append(findings, at(p.template, "%s has %d EFAs and the template attaches %d: %d of %d are lost.",
					t.Name, t.MaxEFA, have, t.MaxEFA-have, t.MaxEFA))
			}
		}
	}
	return findings
}
