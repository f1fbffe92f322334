package awsendpoint_test

import (
	"slices"
	"testing"

	"github.com/gpuyard/gpuyard/internal/awsendpoint"
)

func TestServices(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"ecr":      {"ecr.api", "ecr.dkr"},
		"ssm":      {"ssm", "ssmmessages", "ec2messages"},
		"eks-auth": {"eks-auth"},
		"s3":       {"s3"},
	} {
		if got, known := awsendpoint.Services(name); !known || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %t; want %v", name, got, known, want)
		}
	}
	if got, known := awsendpoint.Services("ecr.api"); known || got != nil {
		t.Errorf("a service of AWS is no name: got %v, %t", got, known)
	}
}

func TestNamesAreSortedAndStandForSomething(t *testing.T) {
	t.Parallel()
	names := awsendpoint.Names()
	if len(names) < 15 || !slices.IsSorted(names) {
		t.Errorf("got %v", names)
	}
	for _, name := range names {
		if services, known := awsendpoint.Services(name); !known || len(services) == 0 {
			t.Errorf("%s stands for %v", name, services)
		}
	}
}

func TestGateways(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"s3": true, "s3express": true, "dynamodb": true, "ecr": false, "sts": false} {
		if got := awsendpoint.IsGateway(name); got != want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

// A node that cannot reach one of these never becomes Ready, or its pods get no role.
func TestPrivateNodesReachWhatTheyJoinBy(t *testing.T) {
	t.Parallel()
	needed := awsendpoint.ForPrivateNodes()
	for _, name := range []string{"ec2", "ecr", "eks", "eks-auth", "logs", "s3", "sts"} {
		if !slices.Contains(needed, name) {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range needed {
		if _, known := awsendpoint.Services(name); !known {
			t.Errorf("%s cannot be asked for", name)
		}
	}
}
