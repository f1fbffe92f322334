package gpunodes

import "github.com/gpuyard/gpuyard/components/internal/argument"

// Problem is one thing that is wrong with a pool.
type Problem struct {
	// Argument is the name of the argument, as in PoolArgs' schema.
	Argument string
	// Text is what is wrong, and what would do.
	Text string
}

// CheckPool judges the arguments of a pool as NewPool does, and registers nothing: inputs that are known only when there
// is a cluster may be anything but nil. It returns all that is wrong.
func CheckPool(name string, args *PoolArgs) []Problem {
	_, err := planPool(name, args)
	var problems []Problem
	for _, wrong := range argument.Errors(err) {
		problems = append(problems, Problem{wrong.Argument, wrong.Problem})
	}
	return problems
}
