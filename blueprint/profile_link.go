package blueprint

// breakCycles cuts profiles that extend themselves, directly or not, so that Resolved ends. checkProfileExtends
// reports them, from Extends.
func breakCycles(profiles []*NodeProfile) {
	const visiting, done = 1, 2
	state := map[*NodeProfile]int{}
	for _, start := range profiles {
		var path []*NodeProfile
		for p := start; p != nil && state[p] != done; p = p.base {
			if state[p] == visiting {
				p.base = nil
				break
			}
			state[p] = visiting
			path = append(path, p)
		}
		for _, p := range path {
			state[p] = done
		}
	}
}
