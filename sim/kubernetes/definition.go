package kubernetes

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
)

// crds are the definitions of custom resources, without their prose. Where they come from is in crds/README.md.
//
//go:embed crds/*.json
var crds embed.FS

// definition is the definition of a kind of custom resource.
type definition struct {
	// APIVersion and Kind are the objects', and Chart is the chart that brings the definition into a cluster.
	APIVersion, Kind, Chart string
	Namespaced              bool
	Spec                    structural
}

// structural is a structural schema, as far as the embedded cloud judges by it. Rules in CEL are not among it.
// Source: Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions", "Specifying a structural schema".
type structural struct {
	Type        string                `json:"type"`
	Properties  map[string]structural `json:"properties"`
	Additional  *structural           `json:"additionalProperties"`
	Items       *structural           `json:"items"`
	Required    []string              `json:"required"`
	Enum        []any                 `json:"enum"`
	Pattern     string                `json:"pattern"`
	Minimum     *float64              `json:"minimum"`
	Maximum     *float64              `json:"maximum"`
	MinLength   *int                  `json:"minLength"`
	MaxLength   *int                  `json:"maxLength"`
	MinItems    *int                  `json:"minItems"`
	MaxItems    *int                  `json:"maxItems"`
	Preserve    bool                  `json:"x-kubernetes-preserve-unknown-fields"`
	IntOrString bool                  `json:"x-kubernetes-int-or-string"`
}

// definitions reads the embedded definitions, sorted by file. They are written by a test, so a bad one is a bug.
func definitions() []definition {
	entries, err := crds.ReadDir("crds")
	if err != nil {
		panic(err)
	}
	var all []definition
	for _, e := range entries {
		text, err := crds.ReadFile(path.Join("crds", e.Name()))
		if err != nil {
			panic(err)
		}
		var d definition
		if err := json.Unmarshal(text, &d); err != nil {
			panic(fmt.Sprintf("%s: %v", e.Name(), err))
		}
		all = append(all, d)
	}
	return all
}

// definitionOf returns the definition of a kind.
func definitionOf(kind string) definition {
	all := definitions()
	i := slices.IndexFunc(all, func(d definition) bool { return d.Kind == kind })
	if i < 0 {
		panic("no definition of " + kind)
	}
	return all[i]
}

// check returns what is wrong with a value. What is not known yet fits everything.
func (s structural) check(at string, v resource.PropertyValue) []error {
	v = schema.Plain(v)
	switch {
	case v.IsNull() || schema.IsUnknown(v):
		return nil
	case !s.fits(v):
		return []error{engine.Invalid(at, "got a %s, wanted %s", v.TypeString(), s.wanted())}
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, v.Mappable()):
		return []error{engine.Invalid(at, "got %v, wanted one of %v", v.Mappable(), s.Enum)}
	case v.IsString():
		return s.checkText(at, v.StringValue())
	case v.IsNumber():
		if n := v.NumberValue(); s.Minimum != nil && n < *s.Minimum || s.Maximum != nil && n > *s.Maximum {
			return []error{engine.Invalid(at, "got %v, which is out of bounds", n)}
		}
	case v.IsArray():
		return s.checkList(at, v.ArrayValue())
	case v.IsObject():
		return s.checkObject(at, v.ObjectValue())
	}
	return nil
}

func (s structural) fits(v resource.PropertyValue) bool {
	if s.IntOrString {
		return v.IsString() || v.IsNumber()
	}
	switch s.Type {
	case "string":
		return v.IsString()
	case "boolean":
		return v.IsBool()
	case "integer":
		return v.IsNumber() && v.NumberValue() == math.Trunc(v.NumberValue())
	case "number":
		return v.IsNumber()
	case "array":
		return v.IsArray()
	case "object":
		return v.IsObject()
	default:
		return true
	}
}

func (s structural) wanted() string {
	if s.IntOrString {
		return "a number or a string"
	}
	return "a value of type " + s.Type
}

func (s structural) checkText(at, text string) []error {
	if s.MinLength != nil && len(text) < *s.MinLength || s.MaxLength != nil && len(text) > *s.MaxLength {
		return []error{engine.Invalid(at, "%q has an illegal length", text)}
	}
	if s.Pattern == "" {
		return nil
	}
	if pattern, err := regexp.Compile(s.Pattern); err == nil && !pattern.MatchString(text) {
		return []error{engine.Invalid(at, "%q does not match %s", text, s.Pattern)}
	}
	return nil
}

func (s structural) checkList(at string, list []resource.PropertyValue) []error {
	var errs []error
	if s.MinItems != nil && len(list) < *s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		errs = append(errs, engine.Invalid(at, "there are %d, which is out of bounds", len(list)))
	}
	for i, e := range list {
		if s.Items != nil {
			errs = append(errs, s.Items.check(fmt.Sprintf("%s[%d]", at, i), e)...)
		}
	}
	return errs
}

func (s structural) checkObject(at string, object resource.PropertyMap) []error {
	var errs []error
	for _, key := range object.StableKeys() {
		below, known := s.Properties[string(key)]
		switch {
		case known:
			errs = append(errs, below.check(at+"."+string(key), object[key])...)
		case s.Additional != nil:
			errs = append(errs, s.Additional.check(at+"."+string(key), object[key])...)
		case !s.Preserve && len(s.Properties) > 0:
			errs = append(errs, engine.Invalid(at+"."+string(key), "unknown field%s", nearOf(string(key), s.Properties)))
		}
	}
	for _, name := range s.Required {
		if v, ok := object[resource.PropertyKey(name)]; !ok || v.IsNull() {
			errs = append(errs, engine.Invalid(at+"."+name, "missing: it is required"))
		}
	}
	return errs
}

// nearOf suggests what a field may have been meant to be.
func nearOf(name string, known map[string]structural) string {
	if near := catalog.Near(name, slices.Collect(maps.Keys(known))); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}
