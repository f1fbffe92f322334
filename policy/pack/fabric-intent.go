package pack

var fabricIntent = Policy{
	Name: "fabric-intent", Level: Advisory, Area: Fabric,
	Summary: "A pool of several accelerated nodes uses the EFA that its type has.",
	Why: "Training over more than one node without EFA runs its collectives over TCP. For the large types the difference is tenfold; " +
		"for a pool that serves models it does not matter.",
	Fix:      "Set `fabric = \"efa\"` on the pool, or limit its size to one node.",
	Tokens:   []string{tokenPool},
	Resource: judgeFabricIntent,
}

// judgeFabricIntent reads the inputs of our own component: plain resources do not say what a pool is for.
func judgeFabricIntent(r *Resource, _ Config) []Finding {
	fabric, ok := r.Get("fabric").TextOr("none")
	size, sized := r.Get("size", "max").Number()
	if !ok || !sized || fabric != "none" || size < 2 {
		return nil
	}
	for _, t := range typesOf(r) {
		if t.Accelerator != nil && t.MaxEFA > 1 {
			return one("The pool may have %.0f nodes of %s and leaves its %d EFAs unused.", size, t.Name, t.MaxEFA)
		}
	}
	return nil
}
