package cluster

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Actions of trust policies.
const (
	assumeRole                = "sts:AssumeRole"
	assumeRoleWithWebIdentity = "sts:AssumeRoleWithWebIdentity"
	// tagSession lets EKS name the pod in the session, which Pod Identity insists on.
	tagSession = "sts:TagSession"
)

// stsAudience is whom a service account's token is for. It is the same in every partition.
const stsAudience = "sts.amazonaws.com"

// trustPolicy is the part of IAM's policy language that roles' trust needs.
type trustPolicy struct {
	Version   string
	Statement []trustStatement
}

type trustStatement struct {
	Effect    string
	Principal map[string]string
	Action    []string
	Condition map[string]map[string]string `json:",omitempty"`
}

// serviceTrust lets an AWS service take a role.
func serviceTrust(service string, actions ...string) string {
	return trustStatement{Principal: map[string]string{"Service": service}, Action: actions}.document()
}

// webIdentityTrust lets one service account of one cluster take a role.
// Source: EKS User Guide, "Assign IAM roles to Kubernetes service accounts".
func webIdentityTrust(providerARN, issuer, namespace, serviceAccount string) string {
	host := strings.TrimPrefix(issuer, "https://")
	return trustStatement{
		Principal: map[string]string{"Federated": providerARN},
		Action:    []string{assumeRoleWithWebIdentity},
		Condition: map[string]map[string]string{"StringEquals": {
			host + ":aud": stsAudience,
			host + ":sub": fmt.Sprintf("system:serviceaccount:%s:%s", namespace, serviceAccount),
		}},
	}.document()
}

// document writes a policy of one statement that allows something.
func (s trustStatement) document() string {
	s.Effect = "Allow"
	text, err := json.Marshal(trustPolicy{Version: "2012-10-17", Statement: []trustStatement{s}})
	if err != nil {
		panic(err) // strings and maps of strings always encode
	}
	return string(text)
}
