// Package iampolicy writes policy documents of IAM, and of the resources that have their own.
//
// A document is text: the same statements give the same text, so that a plan shows no difference where there is none.
package iampolicy

import "encoding/json"

// Actions of trust policies.
const (
	assumeRole = "sts:AssumeRole"
	// tagSession lets EKS name the pod in the session, which Pod Identity insists on.
	tagSession = "sts:TagSession"
)

// Statement is one statement of a document. What is empty is left out.
type Statement struct {
	Sid    string `json:",omitempty"`
	Effect string
	// Principal maps a kind, such as AWS or Service, to one principal.
	Principal map[string]string `json:",omitempty"`
	Action    []string
	Resource  []string                     `json:",omitempty"`
	Condition map[string]map[string]string `json:",omitempty"`
}

// Document writes a document of some statements.
func Document(statements ...Statement) string {
	text, err := json.Marshal(struct {
		Version   string
		Statement []Statement
	}{"2012-10-17", statements})
	if err != nil {
		panic(err) // strings and maps of strings always encode
	}
	return string(text)
}

// Allow writes a document of statements that all allow something: it says so for them.
func Allow(statements ...Statement) string {
	for i := range statements {
		statements[i].Effect = "Allow"
	}
	return Document(statements...)
}

// ServiceTrust lets an AWS service take a role.
func ServiceTrust(service string) string {
	return Allow(Statement{Principal: map[string]string{"Service": service}, Action: []string{assumeRole}})
}

// PodTrust lets pods take a role by EKS Pod Identity.
// Source: EKS User Guide, "Create IAM role with trust policy required by EKS Pod Identity".
func PodTrust() string {
	return Allow(Statement{Principal: map[string]string{"Service": "pods.eks.amazonaws.com"}, Action: []string{assumeRole, tagSession}})
}
