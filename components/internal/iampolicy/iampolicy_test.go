package iampolicy_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, got, want string }{
		{"service", iampolicy.ServiceTrust("ec2.amazonaws.com"),
			`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":["sts:AssumeRole"]}]}`},
		{"pods", iampolicy.PodTrust(),
			`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"pods.eks.amazonaws.com"},"Action":["sts:AssumeRole","sts:TagSession"]}]}`},
		{"two statements", iampolicy.Document(
			iampolicy.Statement{Sid: "Read", Effect: "Allow", Action: []string{"s3:GetObject"}, Resource: []string{"arn:aws:s3:::b/*"}},
			iampolicy.Statement{Effect: "Deny", Principal: map[string]string{"AWS": "*"}, Action: []string{"s3:*"}, Resource: []string{"*"},
				Condition: map[string]map[string]string{"Bool": {"aws:SecureTransport": "false"}}},
		), `{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/*"]},` +
			`{"Effect":"Deny","Principal":{"AWS":"*"},"Action":["s3:*"],"Resource":["*"],"Condition":{"Bool":{"aws:SecureTransport":"false"}}}]}`},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.name, c.got, c.want)
		}
	}
}
