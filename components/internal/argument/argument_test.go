package argument_test

import (
	"errors"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/argument"
)

func TestCheckerCollects(t *testing.T) {
	t.Parallel()
	check := argument.For("gpuyard:network:VPC", "net")
	if err := check.Err(); err != nil {
		t.Fatalf("nothing is wrong, got %v", err)
	}
	check.Failf("nat", "%q is not a NAT", "both")
	check.Failf("zones", "there are none")

	want := `gpuyard:network:VPC "net": nat: "both" is not a NAT` + "\n" + `gpuyard:network:VPC "net": zones: there are none`
	err := check.Err()
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var first *argument.Error
	if !errors.As(err, &first) || first.Argument != "nat" {
		t.Errorf("found %v, want the error about nat", first)
	}
	if all := argument.Errors(err); len(all) != 2 || all[0] != first || all[1].Argument != "zones" {
		t.Errorf("found %v, want both in their order", all)
	}
	if all := argument.Errors(nil); all != nil {
		t.Errorf("found %v in no error", all)
	}
}
