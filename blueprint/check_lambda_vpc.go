package blueprint

import (
	"regexp"

	"github.com/hashicorp/hcl/v2"
)

var (
	vpcID          = regexp.MustCompile(`^vpc-[0-9a-f]{8,17}$`)
	subnetID       = regexp.MustCompile(`^subnet-[0-9a-f]{8,17}$`)
	efsPath        = regexp.MustCompile(`^/mnt/[A-Za-z0-9_.-]+$`)
	accessPointARN = regexp.MustCompile(`^arn:aws[a-z-]*:elasticfilesystem:[a-z0-9-]+:[0-9]{12}:access-point/fsap-[0-9a-f]{17}$`)
)

// checkLambdaVPC refuses networks that are none, and file systems without one.
//
// Source: Lambda API, CreateFunction (FileSystemConfig: an access point, a path below /mnt/, and a VPC).
func checkLambdaVPC(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		var diags hcl.Diagnostics
		if v := f.VPC; v != nil {
			switch own := v.ID.missing() && len(v.Subnets) == 0; {
			case own && b.Network == nil:
				diags = append(diags, errorf(v.Range, "No network", "The blueprint has no network block: name the VPC and its subnets, vpc = { id = \"vpc-…\", subnets = [\"subnet-…\"] }."))
			case !own && (v.ID.missing() || len(v.Subnets) == 0):
				diags = append(diags, errorf(v.Range, "Half a network", "An existing network is named by its id and by the ids of subnets, both."))
			}
			if v.ID.IsSet() && !vpcID.MatchString(v.ID.Value) {
				diags = append(diags, errorf(v.ID.Range, "Illegal VPC", "%q is no id of a VPC such as vpc-0123456789abcdef0.", v.ID.String()))
			}
			for _, s := range v.Subnets {
				if s.IsSet() && !subnetID.MatchString(s.Value) {
					diags = append(diags, errorf(s.Range, "Illegal subnet", "%q is no id of a subnet such as subnet-0123456789abcdef0.", s.String()))
				}
			}
		}
		if e := f.EFS; e != nil {
			if f.VPC == nil {
				diags = append(diags, errorf(e.Range, "File system without a network", "EFS is reached in a VPC: add vpc = {} for the one of the network block, or name an existing one."))
			}
			if e.Path.IsSet() && !efsPath.MatchString(e.Path.Value) {
				diags = append(diags, errorf(e.Path.Range, "Illegal mount path", "%q is no path such as /mnt/models: Lambda mounts directly below /mnt/.", e.Path.String()))
			}
			if e.AccessPoint.IsSet() && !accessPointARN.MatchString(e.AccessPoint.Value) {
				diags = append(diags, errorf(e.AccessPoint.Range, "Illegal access point", "%q is no ARN of an access point, arn:aws:elasticfilesystem:REGION:ACCOUNT:access-point/fsap-….", e.AccessPoint.String()))
			}
		}
		return diags
	})
}
