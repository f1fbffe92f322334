package blueprint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var (
	pullThroughPrefix = regexp.MustCompile(`^[a-z0-9]+([._/-][a-z0-9]+)*$`)
	hostOnly          = regexp.MustCompile(`^[a-z0-9.-]+(:[0-9]+)?$`)
)

// checkLambdaRegistry refuses what the registry could not do.
//
// Sources: ECR API, CreatePullThroughCacheRule and PutReplicationConfiguration; ECR User Guide, "Storing your upstream
// repository credentials in an AWS Secrets Manager secret".
func checkLambdaRegistry(b *Blueprint, k known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		if f.Registry == nil {
			return nil
		}
		var diags hcl.Diagnostics
		regions := k.catalog.Regions()
		for _, r := range f.Registry.ReplicateTo {
			switch {
			case !r.IsSet():
			case r.Value == b.Environment.Region.Value:
				diags = append(diags, errorf(r.Range, "Replication to itself", "Images are in %s already.", r.Value))
			case !slices.Contains(regions, r.Value):
				diags = append(diags, errorf(r.Range, "Unknown region", "There is no region %q.%s", r.String(), didYouMean("", catalog.Near(r.Value, regions))))
			}
		}
		for _, p := range f.Registry.PullThrough {
			if p.Prefix.IsSet() && (len(p.Prefix.Value) < 2 || len(p.Prefix.Value) > 30 || !pullThroughPrefix.MatchString(p.Prefix.Value)) {
				diags = append(diags, errorf(p.Prefix.Range, "Illegal prefix", "%q is no prefix such as ecr-public: 2 to 30 lower-case letters and digits, with single . _ - or / between them.", p.Prefix.String()))
			}
			if p.Upstream.IsSet() && !hostOnly.MatchString(p.Upstream.Value) {
				diags = append(diags, errorf(p.Upstream.Range, "Illegal upstream registry", "%q is no host such as public.ecr.aws.", p.Upstream.String()))
			}
			if p.Credential.IsSet() && !strings.Contains(p.Credential.Value, ":secret:ecr-pullthroughcache/") {
				diags = append(diags, errorf(p.Credential.Range, "Illegal credential", "ECR takes secrets of Secrets Manager whose names begin with ecr-pullthroughcache/."))
			}
		}
		return diags
	})
}
