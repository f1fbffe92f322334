package blueprint

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// Value is one attribute of a blueprint together with where it was written.
//
// An attribute that was left out holds its default and the zero Range.
type Value[T any] struct {
	// Value is what the attribute says, or its default.
	Value T
	// Range is where the value was written; the zero Range for a default.
	Range hcl.Range
	// Sensitive says that the value comes from a sensitive variable: it must not be printed.
	Sensitive bool

	failed bool // given, but in error
}

// IsSet reports whether the blueprint states the value, rather than leaving it to the default.
func (v Value[T]) IsSet() bool { return v.Range != hcl.Range{} }

// missing reports whether the blueprint leaves the value out. One that is in error is neither set nor missing, so that
// a rule does not complain of it a second time.
func (v Value[T]) missing() bool { return !v.IsSet() && !v.failed }

// fail marks a value that is in error.
func (v *Value[T]) fail() { v.failed = true }

// String is the value for a message: a sensitive one is replaced by a placeholder.
func (v Value[T]) String() string {
	if v.Sensitive {
		return redacted
	}
	return fmt.Sprint(v.Value)
}
