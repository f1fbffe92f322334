package gpunodes

import (
	"errors"

	"github.com/gpuyard/gpuyard/components/internal/argument"
)

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
	for _, err := range unjoined(err) {
		var wrong *argument.Error
		if !errors.As(err, &wrong) {
			panic(err) // a Checker joins nothing else
		}
		problems = append(problems, Problem{wrong.Argument, wrong.Problem})
	}
	return problems
}

// unjoined are the errors that errors.Join made one of.
func unjoined(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return nil
}
