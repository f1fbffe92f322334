package blueprint

import "github.com/hashicorp/hcl/v2"

// checkLambdaURL refuses an address that everybody may call, unless that is said.
//
// Source: Lambda Developer Guide, "Control access to Lambda function URLs".
func checkLambdaURL(b *Blueprint, _ known) hcl.Diagnostics {
	return eachLambda(b, func(f *Lambda) hcl.Diagnostics {
		if f.URL == nil || f.URL.Auth.Value != "none" || f.URL.Public.Value {
			return nil
		}
		return hcl.Diagnostics{errorf(f.URL.Auth.Range, "Function open to everybody",
			`With auth = "none", whoever has the address calls the model and you pay. Leave it out, so that callers sign with IAM, or add public = true if that is meant.`)}
	})
}
