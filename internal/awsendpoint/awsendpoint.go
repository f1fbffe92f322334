package awsendpoint

import (
	"maps"
	"slices"
)

// services maps a name to the services that make it up, as the service names of endpoints end.
// Source: Amazon VPC, AWS PrivateLink Guide, "AWS services that integrate with AWS PrivateLink" and "Gateway endpoints".
func services() map[string][]string {
	return map[string][]string{
		"autoscaling":          {"autoscaling"},
		"dynamodb":             {"dynamodb"},
		"ec2":                  {"ec2"},
		"ecr":                  {"ecr.api", "ecr.dkr"},
		"eks":                  {"eks"},
		"eks-auth":             {"eks-auth"},
		"elasticloadbalancing": {"elasticloadbalancing"},
		"fsx":                  {"fsx"},
		"kms":                  {"kms"},
		"logs":                 {"logs"},
		"monitoring":           {"monitoring"},
		"s3":                   {"s3"},
		"s3express":            {"s3express"},
		"sqs":                  {"sqs"},
		"ssm":                  {"ssm", "ssmmessages", "ec2messages"},
		"sts":                  {"sts"},
	}
}

// Names returns all names, sorted.
func Names() []string { return slices.Sorted(maps.Keys(services())) }

// Services returns the services that a name stands for, as the service names of their endpoints end, and whether the
// name is known.
func Services(name string) (ends []string, known bool) {
	ends, known = services()[name]
	return ends, known
}

// IsGateway says whether a service is reached by a route to a gateway, which costs nothing, and not by an interface in
// every subnet. S3 has both, and in a VPC the gateway does all that the interface would.
// Source: Amazon VPC, AWS PrivateLink Guide, "Gateway endpoints"; Amazon S3 User Guide, "Networking for S3 Express One
// Zone".
func IsGateway(name string) bool {
	return slices.Contains([]string{"dynamodb", "s3", "s3express"}, name)
}

// ForPrivateNodes returns the names that nodes of a cluster need in a VPC without a way out: to join it and pull
// images (ec2, ecr, eks, s3, sts), to give pods their roles (eks-auth) and to ship logs (logs). What a cluster runs
// besides needs more: the autoscaler autoscaling, the load balancer controller elasticloadbalancing.
// Source: EKS User Guide, "Deploy private clusters with limited internet access".
func ForPrivateNodes() []string {
	return []string{"ec2", "ecr", "eks", "eks-auth", "logs", "s3", "sts"}
}
