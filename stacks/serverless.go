package stacks

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/components/serverless"
)

// serverlessKind says how one kind of serverless work is explained and made.
type serverlessKind struct {
	kind string
	// explain lists what a block comes to.
	explain func(p *Plan, s *blueprint.Serverless) []Fact
	// moves lists where a block has more room.
	moves func(p *Plan, s *blueprint.Serverless) []Move
	// deploy makes all blocks of the kind, in the blueprint's order, and what they share before them.
	deploy func(d *serving, blocks []*blueprint.Serverless) error
}

// serverlessKinds lists the kinds that can be made.
func serverlessKinds() []serverlessKind {
	return []serverlessKind{
		{"lambda", explainLambda, lambdaMoves, deployLambdas},
		{"container_app", explainContainerApp, appMoves, deployContainerApps},
	}
}

// serving is what the builders of all kinds share.
type serving struct {
	ctx  *pulumi.Context
	plan *Plan
	tags map[string]string
	// aws is the AWS provider; nil if nothing needs it.
	aws pulumi.ProviderResource
	// vpc is the environment's own network; nil if it has none.
	vpc *network.VPC
	// images are what the registry says of the functions' images.
	images map[*blueprint.Serverless]foundImage
	// attachments are the security groups of functions, by VPC.
	attachments map[string]*serverless.Attachment
	// outputs is the stack's output "serverless": what is to be known of each block, by name.
	outputs pulumi.Map
}

func newServing(ctx *pulumi.Context, plan *Plan) *serving {
	return &serving{
		ctx: ctx, plan: plan, tags: environmentTags(plan),
		attachments: map[string]*serverless.Attachment{}, outputs: pulumi.Map{},
	}
}

// name is the name of a block's component.
func (d *serving) name(block string) string {
	return d.plan.Blueprint.Environment.Name.Value + "-" + block
}

// on are the options of a component on a provider, with the environment's protection.
func (d *serving) on(provider pulumi.ProviderResource) []pulumi.ResourceOption {
	return []pulumi.ResourceOption{pulumi.Provider(provider), pulumi.Protect(d.plan.Blueprint.Environment.Protect.Value)}
}

// hasServerless says whether a blueprint has a block of a kind.
func hasServerless(b *blueprint.Blueprint, kind string) bool {
	return len(serverlessOf(b, kind)) > 0
}

func serverlessOf(b *blueprint.Blueprint, kind string) []*blueprint.Serverless {
	var found []*blueprint.Serverless
	for _, s := range b.Serverless {
		if s.Kind.Value == kind {
			found = append(found, s)
		}
	}
	return found
}

// deployServerless makes every serverless block of the blueprint. What the registry says of their images has been asked
// already, before anything was made.
func deployServerless(d *serving) error {
	for _, k := range serverlessKinds() {
		blocks := serverlessOf(d.plan.Blueprint, k.kind)
		if len(blocks) == 0 {
			continue
		}
		if err := k.deploy(d, blocks); err != nil {
			return fmt.Errorf("serverless %q: %w", k.kind, err)
		}
	}
	if len(d.outputs) > 0 {
		d.ctx.Export("serverless", d.outputs)
	}
	return nil
}

// explainServerless has a section for each block.
func (p *Plan) explainServerless() []Section {
	var sections []Section
	for _, s := range p.Blueprint.Serverless {
		for _, k := range serverlessKinds() {
			if k.kind == s.Kind.Value {
				sections = append(sections, Section{Title: fmt.Sprintf("serverless %s %s", s.Kind.Value, s.Name.Value), Facts: k.explain(p, s), Moves: k.moves(p, s)})
			}
		}
	}
	return sections
}

// ServerlessSummary is a serverless block in one line.
type ServerlessSummary struct {
	Name, Kind string
	// AtRest is what it costs while nothing runs, and Limit what it would run into first.
	AtRest, Limit string
}

// Serverless lists the serverless blocks, in the blueprint's order.
func (p *Plan) Serverless() []ServerlessSummary {
	var all []ServerlessSummary
	for i, section := range p.explainServerless() {
		block := p.Blueprint.Serverless[i]
		s := ServerlessSummary{Name: block.Name.Value, Kind: block.Kind.Value}
		for _, f := range section.Facts {
			switch f.Name {
			case "at rest":
				s.AtRest = f.Value
			case "limit hit first":
				s.Limit = f.Value
			}
		}
		all = append(all, s)
	}
	return all
}
