package cluster

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
)

// stsAudience is whom a service account's token is for. It is the same in every partition.
const stsAudience = "sts.amazonaws.com"

// webIdentityTrust lets one service account of one cluster take a role.
// Source: EKS User Guide, "Assign IAM roles to Kubernetes service accounts".
func webIdentityTrust(providerARN, issuer, namespace, serviceAccount string) string {
	host := strings.TrimPrefix(issuer, "https://")
	return iampolicy.Document(iampolicy.Statement{
		Effect:    "Allow",
		Principal: map[string]string{"Federated": providerARN},
		Action:    []string{"sts:AssumeRoleWithWebIdentity"},
		Condition: map[string]map[string]string{"StringEquals": {
			host + ":aud": stsAudience,
			host + ":sub": fmt.Sprintf("system:serviceaccount:%s:%s", namespace, serviceAccount),
		}},
	})
}
