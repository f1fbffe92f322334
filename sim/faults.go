package sim

import (
	"errors"
	"fmt"
	"os"

	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/fault"
)

// Fault is something that goes wrong on demand.
type Fault = fault.Fault

// The kinds of faults. See ParseFault for how they are written.
const (
	Throttle   = fault.Throttle   // refused as too many requests are; nothing has happened
	NoCapacity = fault.NoCapacity // a node group is made, and no instances are to be had for it
	Timeout    = fault.Timeout    // done, answered by an error that carries the identifier, as providers that wait do
	Crash      = fault.Crash      // the provider dies before the cloud hears of the operation
	CrashAfter = fault.CrashAfter // the provider dies after the cloud has done it, and nobody learns of it
)

// Always is the Times of a fault that never ends.
const Always = fault.Always

// ParseFault reads a fault:
//
//	KIND@TOKEN[,on=OPERATION][,name=NAME][,zone=ZONE][,from=N][,times=N]
//
// KIND is throttle, no-capacity, timeout, crash or crash-after. TOKEN is a resource type or function, and NAME a Pulumi
// resource's name; a * in either stands for any text. OPERATION is create, which is also what none means, update,
// delete, read, call or any. ZONE, with no-capacity, is a zone's name or id. The fault strikes the from-th operation
// that matches (the first), and times operations in all (one; all never ends). Examples:
//
//	throttle@aws:ec2/subnet:Subnet
//	no-capacity@aws:eks/nodeGroup:NodeGroup,zone=use2-az1
//	timeout@aws:eks/*,times=2
//	crash@*,on=any,from=17
func ParseFault(text string) (Fault, error) { return fault.Parse(text) }

// ReadFaults reads a file of faults, one a line as ParseFault reads it. What follows a # is a comment.
func ReadFaults(path string) ([]Fault, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading faults: %w", err)
	}
	all, err := fault.ParseList(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// CheckFaults says which faults could strike nothing, or make no sense. NewCloud refuses them, too.
func CheckFaults(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	return checkFaults(faults, providers(aws.Account{}))
}

func checkFaults(faults []Fault, all []*engine.Provider) error {
	var tokens, capacity []string
	for _, p := range all {
		for _, r := range p.Resources {
			tokens = append(tokens, r.Token)
			if r.Capacity != nil {
				capacity = append(capacity, r.Token)
			}
		}
		for _, f := range p.Functions {
			tokens = append(tokens, f.Token)
		}
	}
	var errs []error
	for _, f := range faults {
		errs = append(errs, f.Check(tokens, capacity))
	}
	return errors.Join(errs...)
}
