package blueprint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are what expressions may call. All but env and file depend on their arguments alone, and all are charged to
// the meter.
func functions(dir string, environ func(string) (string, bool), m *meter) map[string]function.Function {
	all := map[string]function.Function{
		"cidrsubnet": cidrSubnetFunc(),
		"coalesce":   stdlib.CoalesceFunc,
		"concat":     stdlib.ConcatFunc,
		"contains":   stdlib.ContainsFunc,
		"distinct":   stdlib.DistinctFunc,
		"env":        envFunc(environ),
		"file":       fileFunc(dir),
		"flatten":    stdlib.FlattenFunc,
		"format":     stdlib.FormatFunc,
		"join":       stdlib.JoinFunc,
		"jsondecode": stdlib.JSONDecodeFunc,
		"jsonencode": stdlib.JSONEncodeFunc,
		"keys":       stdlib.KeysFunc,
		"length":     stdlib.LengthFunc,
		"lookup":     stdlib.LookupFunc,
		"lower":      stdlib.LowerFunc,
		"max":        stdlib.MaxFunc,
		"merge":      stdlib.MergeFunc,
		"min":        stdlib.MinFunc,
		"range":      stdlib.RangeFunc,
		"split":      stdlib.SplitFunc,
		"tonumber":   stdlib.MakeToFunc(cty.Number),
		"tostring":   stdlib.MakeToFunc(cty.String),
		"upper":      stdlib.UpperFunc,
		"values":     stdlib.ValuesFunc,
	}
	judges := map[string]func([]cty.Value) error{"format": judgeFormat, "join": judgeJoin, "jsonencode": judgeEncoded, "distinct": judgeDistinct}
	for name, fn := range all {
		all[name] = m.bounded(fn, judges[name])
	}
	return all
}

// cidrSubnetFunc cuts the num-th subnet out of an IPv4 network, its prefix longer by newbits.
func cidrSubnetFunc() function.Function {
	return function.New(&function.Spec{
		Description: "the num-th subnet of a network, newbits smaller",
		Params: []function.Parameter{
			{Name: "network", Type: cty.String}, {Name: "newbits", Type: cty.Number}, {Name: "num", Type: cty.Number},
		},
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			network, err := netip.ParsePrefix(args[0].AsString())
			if err != nil || !network.Addr().Is4() {
				return cty.NilVal, function.NewArgErrorf(0, "%q is not an IPv4 network such as 10.0.0.0/16", args[0].AsString())
			}
			newbits, ok := wholeNumber(args[1])
			bits := network.Bits() + newbits
			if !ok || newbits < 0 || bits > 32 {
				return cty.NilVal, function.NewArgErrorf(1, "a network of /%d has 0 to %d more bits", network.Bits(), 32-network.Bits())
			}
			num, ok := wholeNumber(args[2])
			if !ok || num < 0 || uint64(num) >= 1<<newbits {
				return cty.NilVal, function.NewArgErrorf(2, "%d bits number 0 to %d", newbits, uint64(1)<<newbits-1)
			}
			base := network.Masked().Addr().As4()
			sum := uint32(base[0])<<24 | uint32(base[1])<<16 | uint32(base[2])<<8 | uint32(base[3])
			sum += uint32(uint64(num) << (32 - bits))
			addr := netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
			return cty.StringVal(netip.PrefixFrom(addr, bits).String()), nil
		},
	})
}

// wholeNumber reads a small whole number.
func wholeNumber(v cty.Value) (int, bool) {
	n, accuracy := v.AsBigFloat().Int64()
	return int(n), accuracy == 0 && n > -1<<40 && n < 1<<40
}

// envFunc reads a variable of the environment; an unset one is an error unless a second argument stands in for it.
func envFunc(environ func(string) (string, bool)) function.Function {
	return function.New(&function.Spec{
		Description: "a variable of the environment, or the default",
		Params:      []function.Parameter{{Name: "name", Type: cty.String}},
		VarParam:    &function.Parameter{Name: "default", Type: cty.String},
		Type:        function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if value, ok := environ(args[0].AsString()); ok {
				if !utf8.ValidString(value) {
					return cty.NilVal, function.NewArgErrorf(0, "the value of %s is not UTF-8", args[0].AsString())
				}
				return cty.StringVal(value), nil
			}
			if len(args) > 1 {
				return args[1], nil
			}
			return cty.NilVal, function.NewArgErrorf(0, "%s is not set; a second argument would be its default", args[0].AsString())
		},
	})
}

// fileFunc reads a file beside or below the blueprint. It reads nothing else, so that a blueprint means the same on
// every machine and cannot read what it was not given.
func fileFunc(dir string) function.Function {
	return function.New(&function.Spec{
		Description: "the text of a file beside or below the blueprint",
		Params:      []function.Parameter{{Name: "path", Type: cty.String}},
		Type:        function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, err := readBeside(dir, args[0].AsString())
			if err != nil {
				return cty.NilVal, function.NewArgError(0, err)
			}
			return cty.StringVal(text), nil
		},
	})
}

func readBeside(dir, path string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("the folder of the blueprint: %w", err)
	}
	defer root.Close()
	// A pipe or a device could block for ever, so look before opening.
	info, err := root.Stat(filepath.FromSlash(path))
	if err != nil {
		var detail *fs.PathError
		if errors.As(err, &detail) {
			err = detail.Err
		}
		return "", fmt.Errorf("only files beside or below the blueprint can be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFileRead+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxFileRead {
		return "", fmt.Errorf("%s is larger than %d KiB", path, maxFileRead>>10)
	}
	if !utf8.Valid(text) {
		return "", fmt.Errorf("%s is not UTF-8 text", path)
	}
	return string(text), nil
}

// wideFormat matches a width or precision that could ask for much space.
var wideFormat = regexp.MustCompile(`%[^a-zA-Z%]*[0-9]{3,}`)
