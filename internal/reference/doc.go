// Package reference writes down the blueprint language from the schema that its decoder uses: as a page for people, and as a
// JSON schema for editors, of blueprints in HCL's JSON syntax.
//
// Both are checked in, docs/blueprint.md and docs/blueprint.schema.json, and a test holds them to the code. The examples
// of the page are blueprints of their own, one a block in examples/, and load.
package reference
