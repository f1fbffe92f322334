package ekscluster

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// research is the cluster that testdata/answers.json describes, and the simulated AWS too.
func research(t *testing.T) *Cluster {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "answers.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	c, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRead(t *testing.T) {
	t.Parallel()
	c := research(t)
	if c.Name != "research" || c.Region() != "us-east-2" || c.Version != "1.34" || c.NodeRole() != "arn:aws:iam::111122223333:role/nodes" {
		t.Errorf("got %+v", c)
	}
	var ids []string
	for _, s := range c.Private() {
		ids = append(ids, s.ID)
	}
	// That of the nodes, that of the control plane, and the other one. The public one is left out.
	if want := []string{"subnet-0000000000000000c", "subnet-0000000000000000b", "subnet-0000000000000000d"}; !reflect.DeepEqual(ids, want) {
		t.Errorf("private: %v, want %v", ids, want)
	}
}

func TestReadSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	const cluster = `{"cluster": {"name": "c", "arn": "arn:aws:eks:us-east-2:111122223333:cluster/c", "version": "1.34", "resourcesVpcConfig": {"vpcId": "vpc-1", "clusterSecurityGroupId": "sg-1"}}}`
	for text, want := range map[string]string{
		``:                                    "describe-cluster --name NAME` is missing",
		`<xml/>`:                              "no answer of the AWS command line",
		`{"nodegroup": {"nodeRole": "role"}}`: "describe-cluster --name NAME` is missing",
		`{"cluster": {"name": "c"}}`:          `the cluster "c" lacks its arn`,
		cluster:                               "Name=vpc-id,Values=vpc-1",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	c, err := Read(strings.NewReader(cluster + `{"Subnets": [{"SubnetId": "subnet-1", "AvailabilityZoneId": "use2-az1"}]}`))
	if err != nil || c.NodeRole() != "" || len(c.Private()) != 1 {
		t.Errorf("a cluster without node groups: %+v, %v", c, err)
	}
}

// TestDescribe asks a server that answers as AWS does, and comes to the same as the answers of the command line.
func TestDescribe(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"/clusters/research":                 `{"cluster": {"name": "research", "arn": "arn:aws:eks:us-east-2:111122223333:cluster/research", "version": "1.34", "resourcesVpcConfig": {"vpcId": "vpc-0123456789abcdef0", "clusterSecurityGroupId": "sg-0123456789abcdef0", "subnetIds": ["subnet-0000000000000000a", "subnet-0000000000000000b"]}}}`,
		"/clusters/research/node-groups":     `{"nodegroups": ["cpu"]}`,
		"/clusters/research/node-groups/cpu": `{"nodegroup": {"nodegroupName": "cpu", "nodeRole": "arn:aws:iam::111122223333:role/nodes", "subnets": ["subnet-0000000000000000c"]}}`,
		"/clusters":                          `{"clusters": ["research"]}`,
		"/":                                  describedSubnets,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.Path]
		if !ok {
			w.Header().Set("X-Amzn-Errortype", "ResourceNotFoundException")
			w.WriteHeader(http.StatusNotFound)
			answer = `{"message": "No cluster found for name"}`
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	cfg := aws.Config{Region: "us-east-2", BaseEndpoint: &server.URL, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "simulated", SecretAccessKey: "simulated"}, nil
	})}
	got, err := Describe(t.Context(), cfg, "research")
	if err != nil {
		t.Fatal(err)
	}
	if want := research(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	_, err = Describe(t.Context(), cfg, "reserch")
	var missing *NoClusterError
	if !errors.As(err, &missing) || !reflect.DeepEqual(missing.Known, []string{"research"}) {
		t.Errorf("got %v", err)
	}
}

const describedSubnets = `<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><subnetSet>
<item><subnetId>subnet-0000000000000000a</subnetId><availabilityZoneId>use2-az1</availabilityZoneId><mapPublicIpOnLaunch>true</mapPublicIpOnLaunch></item>
<item><subnetId>subnet-0000000000000000d</subnetId><availabilityZoneId>use2-az3</availabilityZoneId><mapPublicIpOnLaunch>false</mapPublicIpOnLaunch></item>
<item><subnetId>subnet-0000000000000000b</subnetId><availabilityZoneId>use2-az1</availabilityZoneId><mapPublicIpOnLaunch>false</mapPublicIpOnLaunch></item>
<item><subnetId>subnet-0000000000000000c</subnetId><availabilityZoneId>use2-az2</availabilityZoneId><mapPublicIpOnLaunch>false</mapPublicIpOnLaunch></item>
</subnetSet></DescribeSubnetsResponse>`
