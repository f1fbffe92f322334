package gpunodes

import "encoding/json"

// account is where a cluster is.
type account struct{ partition, region, id string }

func (a account) arn(service, resource string) string {
	return "arn:" + a.partition + ":" + service + ":" + a.region + ":" + a.id + ":" + resource
}

// clusterARN names a cluster.
func (a account) clusterARN(name string) string { return a.arn("eks", "cluster/"+name) }

// statement is a statement of IAM's policy language that allows something.
type statement struct {
	Sid       string `json:",omitempty"`
	Effect    string
	Principal map[string]string `json:",omitempty"`
	Action    []string
	Resource  string                       `json:",omitempty"`
	Condition map[string]map[string]string `json:",omitempty"`
}

// document writes a policy that allows what statements say.
func document(statements ...statement) string {
	for i := range statements {
		statements[i].Effect = "Allow"
	}
	text, err := json.Marshal(struct {
		Version   string
		Statement []statement
	}{"2012-10-17", statements})
	if err != nil {
		panic(err) // strings and maps of strings always encode
	}
	return string(text)
}

// hybridTrust lets Systems Manager of this account and region alone hand the role out.
// Source: EKS User Guide, "Prepare credentials for hybrid nodes", step "Create the hybrid nodes IAM role".
func (a account) hybridTrust() string {
	return document(statement{
		Principal: map[string]string{"Service": "ssm.amazonaws.com"},
		Action:    []string{"sts:AssumeRole"},
		Condition: map[string]map[string]string{
			"StringEquals": {"aws:SourceAccount": a.id},
			"ArnEquals":    {"aws:SourceArn": a.arn("ssm", "*")},
		},
	})
}

// hybridPolicy lets nodes find their cluster, and end registrations of it when nodeadm takes them out. A policy of AWS
// would let them describe every cluster and every instance: a node's role is every pod's that reaches its credentials.
// Source: EKS User Guide, "Prepare credentials for hybrid nodes", Hybrid Nodes IAM role permissions.
func (a account) hybridPolicy(cluster string) string {
	return document(
		statement{Sid: "FindCluster", Action: []string{"eks:DescribeCluster"}, Resource: a.clusterARN(cluster)},
		// Instances cannot be described one by one.
		statement{Sid: "FindRegistrations", Action: []string{"ssm:DescribeInstanceInformation"}, Resource: "*"},
		statement{
			Sid: "EndOwnRegistrations", Action: []string{"ssm:DeregisterManagedInstance"}, Resource: a.arn("ssm", "managed-instance/*"),
			Condition: map[string]map[string]string{"StringEquals": {"ssm:resourceTag/" + tagCluster: a.clusterARN(cluster)}},
		},
	)
}

// tagCluster is the tag that says which cluster a registration is of.
const tagCluster = "EKSClusterARN"
