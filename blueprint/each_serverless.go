package blueprint

import "github.com/hashicorp/hcl/v2"

// eachLambda judges every function.
func eachLambda(b *Blueprint, judge func(*Lambda) hcl.Diagnostics) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Serverless {
		if s.Lambda != nil {
			diags = append(diags, judge(s.Lambda)...)
		}
	}
	return diags
}

// eachContainerApp judges every container app.
func eachContainerApp(b *Blueprint, judge func(*ContainerApp) hcl.Diagnostics) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Serverless {
		if s.ContainerApp != nil {
			diags = append(diags, judge(s.ContainerApp)...)
		}
	}
	return diags
}
