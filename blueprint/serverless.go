package blueprint

import "github.com/hashicorp/hcl/v2"

// Serverless is work that runs without a cluster, labelled with its kind and name. Exactly one of the pointers is set.
type Serverless struct {
	// Kind is lambda or container_app.
	Kind Value[string]
	Name Value[string]
	// Range is the block's header.
	Range hcl.Range

	Lambda       *Lambda
	ContainerApp *ContainerApp
}

func serverlessBlock() blockType {
	return blockType{
		Name: "serverless", Labels: []string{"kind", "name"},
		Doc: "Work that runs without a cluster and scales to zero.",
		ref: "serverless",
		Kinds: []blockKind{
			{"lambda", "An AWS Lambda function from an image.", typeOf[Lambda](), func(m any) any { return made(&m.(*Serverless).Lambda) }},
			{"container_app", "An Azure Container App or job, with a GPU if wanted.", typeOf[ContainerApp](), func(m any) any { return made(&m.(*Serverless).ContainerApp) }},
		},
		add: func(b *Blueprint, h header) any {
			s := &Serverless{Kind: h.kind, Name: h.name, Range: h.at}
			b.Serverless = append(b.Serverless, s)
			return s
		},
	}
}
