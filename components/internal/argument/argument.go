// Package argument collects what is wrong with the arguments of a component.
//
// A component judges its plain arguments before it registers anything, and says everything that is wrong at
// once: a user who fixes one mistake should not be told of the next.
package argument

import (
	"errors"
	"fmt"
)

// Error says that a component cannot work with an argument. Nothing has been registered.
type Error struct {
	// Component is the component's type token and Name the name it was given.
	Component, Name string
	// Argument is the argument's name, as in the component's schema.
	Argument string
	// Problem is what is wrong and what would do.
	Problem string
}

// Error gives the whole message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %q: %s: %s", e.Component, e.Name, e.Argument, e.Problem)
}

// Checker collects the errors of one component. Its zero value lacks the names that messages start with: use For.
type Checker struct {
	component, name string
	errs            []error
}

// For starts the check of a component's arguments.
func For(component, name string) *Checker {
	return &Checker{component: component, name: name}
}

// Failf adds a problem.
func (c *Checker) Failf(argument, format string, args ...any) {
	c.errs = append(c.errs, &Error{
		Component: c.component, Name: c.name, Argument: argument, Problem: fmt.Sprintf(format, args...),
	})
}

// Err returns all problems as one error, each of which is an *Error, and nil when there are none.
func (c *Checker) Err() error {
	return errors.Join(c.errs...)
}

// Errors are the problems in what Checker.Err returned, in their order.
func Errors(err error) []*Error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var all []*Error
	for _, e := range joined.Unwrap() {
		all = append(all, e.(*Error)) // a Checker joins nothing else
	}
	return all
}
