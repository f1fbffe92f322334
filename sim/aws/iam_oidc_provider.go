package aws

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const openIDConnectProviderToken = "aws:iam/openIdConnectProvider:OpenIdConnectProvider"

func openIDConnectProvider() *engine.Resource {
	const source = "IAM API, CreateOpenIDConnectProvider"
	return &engine.Resource{
		Token: openIDConnectProviderToken, Args: iam.OpenIdConnectProviderArgs{}, State: iam.OpenIdConnectProvider{}, Global: true,
		Required: []string{"clientIdLists"},
		Replace:  []string{"url"},
		Plan: []engine.Rule{
			shape("url", "begins with https:// and has no port and no query", source, regexp.MustCompile(`^https://[^:?#]+$`)),
			shape("thumbprintLists[*]", "has 40 hexadecimal digits", source, regexp.MustCompile(`^[0-9a-fA-F]{40}$`)),
		},
		Apply: []engine.Rule{issuerAnswers},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id := globalARN(c, "iam", "oidc-provider/"+strings.TrimPrefix(c.In.Str("url"), "https://"))
			sum, err := c.NewHex("thumbprint")
			out := engine.Outputs{"arn": id}
			setDefault(c, out, "thumbprintLists", []any{sum[:40]})
			return id, out, err
		},
	}
}

var issuerAnswers = engine.Rule{
	Name: "issuer-answers", Says: "an EKS issuer belongs to a cluster that exists", Source: "IAM API, CreateOpenIDConnectProvider (OpenIdIdpCommunicationError)",
	Judge: func(c *engine.Call) error {
		url := c.In.Str("url")
		if !strings.HasPrefix(url, "https://oidc.eks.") {
			return nil
		}
		if _, ok := c.Find(clusterToken, "identities[*].oidcs[*].issuer", url); !ok {
			return engine.Refuse("OpenIdIdpCommunicationError", "No cluster of this account and region has the issuer %s; take it from the cluster's identities", url)
		}
		return nil
	},
}
