package main

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/pulumi/pulumi/sdk/v3/go/propertyrpc"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/policy/pack"
)

// newJudgement is the pack's judgement without an engine or a protocol.
func newJudgement(all []resource) (*way, error) {
	var policies []*pack.Policy
	for _, p := range pack.Policies() {
		if slices.Contains(rules(), p.Name) {
			policies = append(policies, p)
		}
	}
	var inputs []pack.Resource
	for _, r := range all {
		object, err := structpb.NewStruct(r.properties)
		if err != nil {
			return nil, err
		}
		properties, err := propertyrpc.Unmarshal(object)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, pack.Resource{Type: r.token, Name: r.name, Properties: properties})
	}
	return &way{name: "gpuyard, judgement alone", judge: func(_ context.Context, i int) ([]string, error) {
		var names []string
		for _, p := range policies {
			if p.Judges(inputs[i].Type) {
				for range p.Resource(&inputs[i], nil) {
					names = append(names, p.Name)
				}
			}
		}
		return names, nil
	}}, nil
}

//go:embed rules.rego
var regoRules string

// newOPA compiles the rules once and reads the inputs once, as a server of it would.
func newOPA(ctx context.Context, all []resource) (*way, error) {
	query, err := rego.New(rego.Query("data.gpuyard.findings"), rego.Module("rules.rego", regoRules)).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("compiling the rules for OPA: %w", err)
	}
	var inputs []ast.Value
	for _, r := range all {
		v, err := ast.InterfaceToValue(map[string]any{"type": r.token, "properties": r.properties})
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, v)
	}
	return &way{name: "OPA 1.22.4, evaluation alone", judge: func(ctx context.Context, i int) ([]string, error) {
		result, err := query.Eval(ctx, rego.EvalParsedInput(inputs[i]))
		if err != nil {
			return nil, err
		}
		var names []string
		for _, name := range result[0].Expressions[0].Value.([]any) {
			names = append(names, name.(string))
		}
		return names, nil
	}}, nil
}
