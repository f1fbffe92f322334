package pack

import (
	"regexp"
	"slices"
	"strings"
)

var plainSecrets = Policy{
	Name: "plain-secrets", Level: Mandatory, Area: Identity,
	Summary: "Secrets are marked as secret wherever they appear.",
	Why: "A value that is not marked is stored in plain text in the state, and shown in every preview and pull request. Values that are " +
		"marked are encrypted and masked, here too.",
	Fix:      "Take the value from `pulumi config set --secret` or a secret store, and rotate the one that was found: it is in the history now.",
	Resource: judgePlainSecrets,
}

// credentials match texts that are credentials whatever they are called. The first word of each is looked for before the
// expression is tried.
// Source: the issuers' documentation of their formats.
var credentials = []struct {
	what, word string
	text       *regexp.Regexp
}{
	{"an AWS access key", "AKIA", regexp.MustCompile(`\bAKIA[A-Z2-7]{16}\b`)},
	{"a private key", "PRIVATE KEY-----", regexp.MustCompile(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----`)},
	{"a GitHub token", "ghp_", regexp.MustCompile(`\bghp_[A-Za-z0-9]{36}\b`)},
	{"a GitHub token", "github_pat_", regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{40,}\b`)},
	{"a GitLab token", "glpat-", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{"a Hugging Face token", "hf_", regexp.MustCompile(`\bhf_[A-Za-z]{34}\b`)},
	{"a Slack token", "xox", regexp.MustCompile(`\bxox[abpr]-[A-Za-z0-9-]{20,}`)},
}

// masked stands for a secret that `pulumi policy analyze` could not decrypt.
const masked = "[secret]"

// passwords are properties that hold a secret by their meaning.
var passwords = []string{"password", "masterPassword", "adminPassword", "authToken", "secretKey", "awsSecretAccessKey", "clientSecret", "privateKey"}

func judgePlainSecrets(r *Resource, _ Config) []Finding {
	var findings []Finding
	r.texts(func(path []string, v Value) {
		text, _ := v.Text()
		if v.Secret() || text == "" || text == masked {
			return
		}
		name := path[len(path)-1]
		if name == "userData" || name == "userDataBase64" {
			text = decoded(text)
		}
		for _, c := range credentials {
			if strings.Contains(text, c.word) && c.text.MatchString(text) {
				findings = append(findings, one("%s has %s and is not marked as secret.", strings.Join(path, "."), c.what)...)
				return
			}
		}
		if slices.Contains(passwords, name) || environment(path) && secretName(name) {
			findings = append(findings, one("%s is not marked as secret.", strings.Join(path, "."))...)
		}
	})
	return findings
}

// environment says whether a path is an environment variable of a function.
func environment(path []string) bool {
	return len(path) == 3 && path[0] == "environment" && path[1] == "variables"
}

// secretName says whether a variable of that name usually holds a secret. A name that ends in what a reference ends in,
// such as DB_PASSWORD_ARN, does not.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	for _, word := range []string{"PASSWORD", "PASSWD", "SECRET", "TOKEN", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"} {
		if strings.HasSuffix(upper, word) || strings.HasSuffix(upper, word+"S") {
			return true
		}
	}
	return false
}
