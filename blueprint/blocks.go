package blueprint

import (
	"reflect"

	"github.com/hashicorp/hcl/v2"
)

// A blockType is a kind of top-level block. Adding one takes a file that returns its blockType, and a line in
// blockTypes.
type blockType struct {
	// Name is the word that opens the block, Labels what its labels are called.
	Name   string
	Labels []string
	Doc    string
	// Once says that a blueprint has at most one such block.
	Once bool
	// Kinds are what the first label may be, where it is "kind": each has a body of its own.
	Kinds []blockKind
	// model is the struct that holds the body; nil where there are kinds.
	model reflect.Type
	// ref is the root of references to such blocks; empty where there are none.
	ref string
	// add makes the model, adds it to the blueprint and returns a pointer to it.
	add func(b *Blueprint, h header) any
}

// A blockKind is one kind of a block with kinds.
type blockKind struct {
	Name, Doc string
	model     reflect.Type
	// body makes the kind's struct inside the block's model and returns a pointer to it.
	body func(model any) any
}

// blockTypes is the language: every top-level block, in the order of the reference. Variables and locals come first,
// since everything else may use them; "locals" has no schema, and load treats it by itself.
func blockTypes() []blockType {
	return []blockType{
		variableBlock(),
		localsBlock(),
		environmentBlock(),
		networkBlock(),
		nodePoolBlock(),
		nodeProfileBlock(),
		storageBlock(),
		cacheBlock(),
		serverlessBlock(),
		platformBlock(),
	}
}

// A header is the first line of a block.
type header struct {
	kind, name Value[string]
	at         hcl.Range
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// made fills a nil pointer of a model and returns it.
func made[T any](p **T) any {
	*p = new(T)
	return *p
}
