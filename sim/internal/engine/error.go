package engine

import (
	"errors"
	"fmt"
)

// Error is a refusal in the real cloud's words.
type Error struct {
	Path    string // the argument at fault, where one is
	Code    string // InvalidSubnet.Conflict; empty where AWS's provider judges and not AWS
	Message string // what is wrong and what to do
}

// Error implements error.
func (e *Error) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return e.Code + ": " + e.Message
}

// Refuse returns an Error with a code.
func Refuse(code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns an Error about one argument.
func Invalid(path, format string, args ...any) error {
	return &Error{Path: path, Message: fmt.Sprintf(format, args...)}
}

// each returns the single errors inside err, which may be joined ones.
func each(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, each(e)...)
	}
	return all
}
