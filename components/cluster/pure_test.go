package cluster

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
)

func TestTrustPolicies(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"control-plane": iampolicy.ServiceTrust("eks.amazonaws.com"),
		"node":          iampolicy.ServiceTrust("ec2.amazonaws.com"),
		"pod-identity":  iampolicy.PodTrust(),
		"web-identity": webIdentityTrust("arn:aws:iam::123456789012:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/ABC",
			"https://oidc.eks.us-west-2.amazonaws.com/id/ABC", "kube-system", "aws-node"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var drawn bytes.Buffer
			if err := json.Indent(&drawn, []byte(document), "", "  "); err != nil {
				t.Fatal(err)
			}
			pulumitest.Golden(t, drawn.String()+"\n", "testdata/trust-"+name+".json")
		})
	}
}

func TestKubeconfig(t *testing.T) {
	t.Parallel()
	got, err := kubeconfig("prod", "https://API.gr7.us-west-2.eks.amazonaws.com", "Q0E=", "us-west-2")
	if err != nil {
		t.Fatal(err)
	}
	pulumitest.Golden(t, got, "testdata/kubeconfig.json")
}

func TestPrincipalName(t *testing.T) {
	t.Parallel()
	for arn, want := range map[string]string{
		"arn:aws:iam::123456789012:role/ops":               "123456789012/role/ops",
		"arn:aws-cn:iam::123456789012:role/path/to/ops":    "123456789012/role/path/to/ops",
		"arn:aws-us-gov:iam::210987654321:user/first.last": "210987654321/user/first.last",
	} {
		if got := principalName(arn); got != want {
			t.Errorf("principalName(%s) = %s, want %s", arn, got, want)
		}
	}
}
