package reference

import (
	"encoding/json"
	"fmt"

	"github.com/gpuyard/gpuyard/blueprint"
)

// An object is a JSON object of a schema.
type object map[string]any

// expression refers to the definition of a string that holds an expression, which may stand for any value: "${var.zone}".
var expression = object{"$ref": "#/$defs/expression"}

// JSONSchema returns the schema, draft 2020-12, of a blueprint in HCL's JSON syntax: blocks are objects by their labels, and
// an expression is a string "${…}".
// Source: HCL, "HCL JSON Syntax Specification".
func JSONSchema(language []blueprint.BlockSchema) ([]byte, error) {
	properties := object{"//": object{"description": "A comment."}}
	for _, b := range language {
		properties[b.Name] = labelled(b)
	}
	text, err := json.MarshalIndent(object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "gpuyard blueprint",
		"description":          "A blueprint in HCL's JSON syntax.",
		"type":                 "object",
		"properties":           properties,
		"required":             []string{"environment"},
		"additionalProperties": false,
		"$defs": object{"expression": object{
			"type": "string", "pattern": `\$\{[\s\S]*\}`, "description": "An expression, such as ${var.zone}.",
		}},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the schema: %w", err)
	}
	return append(text, '\n'), nil
}

// labelled is the schema of all blocks of a kind: an object for each label around the block's body.
func labelled(b blueprint.BlockSchema) object {
	var body object
	switch {
	case b.Name == "locals": // any name, any value
		return object{"description": b.Doc, "type": "object"}
	case len(b.Kinds) > 0:
		kinds := object{}
		for _, k := range b.Kinds {
			kinds[k.Name] = named(b, described(k.Doc, repeated(b, bodyOf(k.Arguments))))
		}
		return object{"description": b.Doc, "type": "object", "properties": kinds, "additionalProperties": false}
	default:
		body = repeated(b, bodyOf(b.Arguments))
	}
	if len(b.Labels) == 0 {
		return described(b.Doc, body)
	}
	return named(b, body)
}

// named is an object from names of blocks to their bodies.
func named(b blueprint.BlockSchema, body object) object {
	out := object{"description": b.Doc, "type": "object", "additionalProperties": body, "minProperties": 1}
	if b.Once {
		out["maxProperties"] = 1
	}
	return out
}

// repeated allows a body, or a list with the one body, which the syntax takes for the same.
func repeated(b blueprint.BlockSchema, body object) object {
	if b.Once || len(b.Labels) > 0 {
		return body
	}
	return object{"anyOf": []object{body, {"type": "array", "items": body}}}
}

func described(doc string, schema object) object {
	schema["description"] = doc
	return schema
}

// bodyOf is the schema of a block's body or of an object.
func bodyOf(arguments []blueprint.ArgumentSchema) object {
	properties, required := object{"//": object{"description": "A comment."}}, []string{}
	for _, a := range arguments {
		properties[a.Name] = described(a.Doc, argument(a))
		if a.HasDefault {
			properties[a.Name].(object)["default"] = typed(a)
		}
		if a.Required {
			required = append(required, a.Name)
		}
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// typed is a default as JSON has it.
func typed(a blueprint.ArgumentSchema) any {
	var value any
	if !quoted(a.Type) && json.Unmarshal([]byte(a.Default), &value) == nil {
		return value
	}
	return a.Default
}

// argument is the schema of one value. Whatever it is, an expression may compute it, but for a block's body.
func argument(a blueprint.ArgumentSchema) object {
	plain := object{}
	switch a.Type {
	case "string":
		plain = text(a)
	case "size", "duration":
		plain = object{"type": "string", "pattern": `^[0-9]+(\.[0-9]+)?\s*[A-Za-z]+$`}
	case "bool":
		plain["type"] = "boolean"
	case "number", "whole number":
		plain = bounded(a)
	case "list of strings":
		plain = object{"type": "array", "items": object{"anyOf": []object{text(a), expression}}}
	case "map of strings":
		plain = object{"type": "object", "additionalProperties": object{"type": []string{"string", "number", "boolean"}}}
	case "map of whole numbers":
		plain = object{"type": "object", "additionalProperties": object{"anyOf": []object{bounded(a), expression}}}
	case "list of objects":
		plain = object{"type": "array", "items": bodyOf(a.Arguments)}
	case "block":
		return bodyOf(a.Arguments)
	case "object":
		plain = bodyOf(a.Arguments)
	case "expression":
		return object{}
	default: // a reference, which only an expression is
		return object{"type": "string", "pattern": `^\$\{\s*[a-z_]+\.[A-Za-z0-9_-]+\s*\}$`}
	}
	return object{"anyOf": []object{plain, expression}}
}

func text(a blueprint.ArgumentSchema) object {
	if len(a.Legal) > 0 {
		return object{"enum": a.Legal}
	}
	return object{"type": "string"}
}

func bounded(a blueprint.ArgumentSchema) object {
	out := object{"type": "number"}
	if a.Type != "number" {
		out["type"] = "integer"
	}
	if a.Min != nil {
		out["minimum"] = *a.Min
	}
	if a.Max != nil {
		out["maximum"] = *a.Max
	}
	return out
}
