package aws

import (
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// Quota is how much of something an account may have.
type Quota struct {
	Key     string // how Account.Quotas names it: vpcs
	Name    string // how AWS names it: VPCs per Region
	Code    string // AWS's quota code, where Service Quotas has one: L-F678F1CE
	Limit   int    // the embedded account's limit
	Default int    // what AWS gives a new account; the same as Limit unless Limit is raised
	Source  string
}

// Raised says whether the embedded account is assumed to have asked AWS for more than it gives to everybody. A training
// account has: AWS gives a new one no accelerated instances at all.
func (q Quota) Raised() bool { return q.Limit != q.Default }

const (
	vpcQuotas      = "VPC User Guide, \"Amazon VPC quotas\""
	linkQuotas     = "AWS PrivateLink Guide, \"AWS PrivateLink quotas\""
	eksQuotas      = "EKS User Guide, \"Amazon EKS service quotas\""
	instanceQuotas = "EC2 User Guide, \"Amazon EC2 instance type quotas\""
	scalingQuotas  = "EC2 Auto Scaling User Guide, \"Quotas for Auto Scaling resources and groups\""
)

// same is a quota whose limit is what AWS gives everybody.
func same(key, name, code string, limit int, source string) Quota {
	return Quota{key, name, code, limit, limit, source}
}

// Quotas returns every quota that the embedded cloud enforces.
func Quotas() []Quota {
	return append([]Quota{
		same("vpcs", "VPCs per Region", "L-F678F1CE", 5, vpcQuotas),
		same("subnets", "Subnets per VPC", "L-407747CB", 200, vpcQuotas),
		same("internet-gateways", "Internet gateways per Region", "L-A4707A72", 5, vpcQuotas),
		same("nat-gateways", "NAT gateways per Availability Zone", "L-FE5A380F", 5, vpcQuotas),
		same("route-tables", "Route tables per VPC", "L-589F43AA", 200, vpcQuotas),
		same("routes", "Routes per route table", "L-93826ACB", 500, vpcQuotas),
		same("security-groups", "VPC security groups per Region", "L-E79EC296", 2500, vpcQuotas),
		same("security-group-rules", "Inbound or outbound rules per security group", "L-0EA8095F", 60, vpcQuotas),
		same("interface-groups", "Security groups per network interface", "L-2AFB9258", 5, vpcQuotas),
		same("flow-logs", "Flow logs per network interface, subnet or VPC", "", 2, "VPC User Guide, \"Flow log limitations\""),
		same("interface-endpoints", "Interface VPC endpoints per VPC", "L-29B6F2EB", 50, linkQuotas),
		same("gateway-endpoints", "Gateway VPC endpoints per Region", "L-1B52E74A", 20, linkQuotas),
		same("elastic-ips", "EC2-VPC Elastic IPs", "L-0263D0A3", 5, "EC2 User Guide, \"Elastic IP address quota\""),
		same("placement-groups", "Placement groups per Region", "", 500, "EC2 User Guide, \"Placement groups\""),
		same("clusters", "Clusters", "L-1194D53C", 100, eksQuotas),
		same("node-groups", "Managed node groups per cluster", "L-6D54EA21", 30, eksQuotas),
		same("nodes", "Nodes per managed node group", "L-BD136A63", 450, eksQuotas),
		same("role-policies", "Managed policies attached to an IAM role", "L-0DA4ABF3", 10, iamQuotas),
		same("scheduled-actions", "Scheduled actions per Auto Scaling group", "", 125, scalingQuotas),
		same("concurrent-executions", "Concurrent executions", "L-B99A9384", 1000, "Lambda Developer Guide, \"Lambda quotas\""),
		same("resource-groups", "Resource groups per account", "", 100, "AWS Resource Groups User Guide, \"Service quotas for Resource Groups\""),
	}, vcpuQuotas()...)
}

// vcpuQuotas are the quotas on running instances, which count vCPUs. Families share them by their first letters. The
// limits are those of an account that trains: an assumption, and enough for a hundred accelerated nodes.
func vcpuQuotas() []Quota {
	vcpus := func(key, name, code string, limit, byDefault int) Quota {
		return Quota{key, name, code, limit, byDefault, instanceQuotas}
	}
	return []Quota{
		vcpus("standard-vcpus", "Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances", "L-1216C47A", 10000, 5),
		vcpus("g-vcpus", "Running On-Demand G and VT instances", "L-DB2E81BA", 5000, 0),
		vcpus("p-vcpus", "Running On-Demand P instances", "L-417A185B", 20000, 0),
		vcpus("dl-vcpus", "Running On-Demand DL instances", "L-6E869C2A", 2000, 0),
		vcpus("trn-vcpus", "Running On-Demand Trn instances", "L-2C3B7624", 20000, 0),
		vcpus("inf-vcpus", "Running On-Demand Inf instances", "L-1945791B", 2000, 0),
		vcpus("hpc-vcpus", "Running On-Demand HPC instances", "L-F7808C92", 2000, 0),
		vcpus("other-vcpus", "Running On-Demand F, U, X and other instances", "", 2000, 0),
		vcpus("spot-standard-vcpus", "All Standard (A, C, D, H, I, M, R, T, Z) Spot Instance Requests", "L-34B43A08", 10000, 5),
		vcpus("spot-g-vcpus", "All G and VT Spot Instance Requests", "L-3819A6DF", 5000, 0),
		vcpus("spot-p-vcpus", "All P4, P3, P2 and P5 Spot Instance Requests", "L-7212CCBC", 10000, 0),
		vcpus("spot-dl-vcpus", "All DL Spot Instance Requests", "L-85EED4F7", 2000, 0),
		vcpus("spot-trn-vcpus", "All Trn Spot Instance Requests", "L-6B0D517C", 10000, 0),
		vcpus("spot-inf-vcpus", "All Inf Spot Instance Requests", "L-B5D1601B", 2000, 0),
		vcpus("spot-other-vcpus", "All F, X and other Spot Instance Requests", "", 2000, 0),
	}
}

// vcpuQuota returns the key of the quota that counts an instance type.
func vcpuQuota(instanceType string, spot bool) string {
	class := "other"
	letters := family(instanceType)
	for i, r := range letters {
		if r >= '0' && r <= '9' || r == '-' {
			letters = letters[:i]
			break
		}
	}
	switch letters {
	case "g", "gr", "vt":
		class = "g"
	case "p", "dl", "trn", "inf", "hpc":
		class = letters
	case "a", "c", "d", "h", "i", "im", "is", "m", "mac", "r", "t", "z":
		class = "standard"
	}
	if spot {
		if class == "hpc" {
			class = "other"
		}
		return "spot-" + class + "-vcpus"
	}
	return class + "-vcpus"
}

// perRegion is the rule that an account has only so many of a resource type in a region.
func (a Account) perRegion(key, token, code string) engine.Rule {
	q, _ := findQuota(key)
	limit := a.limit(key)
	return engine.Rule{
		Name: "quota", Says: fmt.Sprintf("at most %d in a region", limit), Source: q.Source,
		Judge: func(c *engine.Call) error {
			if c.ID != "" {
				return nil // it has its place already
			}
			made := slices.DeleteFunc(c.All(token), func(i engine.Item) bool { return i.Owned })
			if len(made) < limit {
				return nil
			}
			return engine.Refuse(code, "The account has %d of at most %d in %s; delete one, or ask AWS for a higher quota", len(made), limit, c.Region)
		},
	}
}

// perVPC is the rule that a VPC has only so many of a resource type.
func (a Account) perVPC(key, token, code string) engine.Rule {
	q, _ := findQuota(key)
	limit := a.limit(key)
	return engine.Rule{
		Name: "quota", Says: fmt.Sprintf("at most %d in a VPC", limit), Source: q.Source,
		Judge: func(c *engine.Call) error {
			n := 0
			for _, i := range c.Others(token) {
				if i.In.Str("vpcId") == c.In.Str("vpcId") && !i.Owned {
					n++
				}
			}
			if n < limit {
				return nil
			}
			return engine.Refuse(code, "The VPC %s has %d of at most %d; delete one, or ask AWS for a higher quota", c.In.Str("vpcId"), n, limit)
		},
	}
}

// vcpusRunning is the rule on the vCPUs of running nodes. Capacity Blocks are bought and do not count; other reservations do.
func (a Account) vcpusRunning() engine.Rule {
	return engine.Rule{
		Name: "vcpu-quota", Says: "the vCPUs of all desired nodes of a family are within its quota (see the table of quotas); Capacity Blocks do not count", Source: instanceQuotas,
		Judge: func(c *engine.Call) error {
			key, mine := vcpusOf(c, c.In)
			if mine == 0 {
				return nil
			}
			running := 0
			for _, other := range c.Others(nodeGroupToken) {
				if k, n := vcpusOf(c, other.In); k == key {
					running += n
				}
			}
			if limit := a.limit(key); running+mine > limit {
				q, _ := findQuota(key)
				return engine.Refuse("AsgInstanceLaunchFailures", "Could not launch instances. VcpuLimitExceeded - You have requested more vCPU capacity than your current limit of %d: "+
					"the group wants %d vCPUs, %d run already. The quota is %q%s; ask AWS for more, or give the embedded cloud a higher %q", limit, mine, running, q.Name, inBrackets(q.Code), key)
			}
			return nil
		},
	}
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// vcpusOf returns how many vCPUs a node group's desired nodes have at most, and the quota that counts them.
func vcpusOf(c *engine.Call, group engine.Props) (key string, n int) {
	desired, _ := group.Int("scalingConfig.desiredSize")
	if group.Str("capacityType") == "CAPACITY_BLOCK" {
		return "", 0
	}
	for _, name := range typesOfGroup(c, group) {
		t, err := c.Catalog().Lookup(name)
		if err == nil && t.VCPUs*desired > n {
			key, n = vcpuQuota(name, group.Str("capacityType") == "SPOT"), t.VCPUs*desired
		}
	}
	return key, n
}
