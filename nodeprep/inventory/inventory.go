package inventory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// Outputs are the hosts of a stack's output "pools": those of its entries that have hosts. Others are pools on EC2.
func Outputs(pools any, w Where) ([]Host, error) {
	text, err := json.Marshal(pools)
	if err != nil {
		return nil, fmt.Errorf("reading the output pools: %w", err)
	}
	return decode(text, w)
}

// decode reads pools by name.
func decode(text []byte, w Where) ([]Host, error) {
	var pools map[string]json.RawMessage
	if err := json.Unmarshal(text, &pools); err != nil {
		return nil, fmt.Errorf("pools are an object by their names: %w", err)
	}
	var hosts []Host
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		var kind struct {
			Hosts json.RawMessage `json:"hosts"`
		}
		if json.Unmarshal(pools[name], &kind) == nil && kind.Hosts == nil {
			continue // a pool on EC2
		}
		var p Pool
		if err := json.Unmarshal(pools[name], &p); err != nil {
			problems = append(problems, fmt.Errorf("pool %s: %w", name, err))
			continue
		}
		found, err := p.list(name, w)
		if err != nil {
			problems = append(problems, fmt.Errorf("pool %s: %w", name, err))
		}
		hosts = append(hosts, found...)
	}
	return hosts, errors.Join(append(problems, unique(hosts))...)
}

// Parse reads a file: JSON with an object "pools" in the shape of a stack's outputs, or a host a line,
//
//	[user@]host[:port] [key=FILE] [known_hosts=FILE] [bastion=[user@]host[:port]] [pool=NAME] [profile=NAME]
//
// where # begins a comment.
func Parse(text []byte, w Where) ([]Host, error) {
	if trimmed := bytes.TrimSpace(text); bytes.HasPrefix(trimmed, []byte("{")) {
		var file struct {
			Pools json.RawMessage `json:"pools"`
		}
		if err := json.Unmarshal(trimmed, &file); err != nil {
			return nil, fmt.Errorf("reading JSON: %w", err)
		}
		if file.Pools == nil {
			return nil, errors.New(`the JSON has no object "pools", as the outputs of a stack have it`)
		}
		return decode(file.Pools, w)
	}
	var hosts []Host
	var problems []error
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		found, err := parseLine(words, w)
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", n, err))
		}
		hosts = append(hosts, found...)
	}
	return hosts, errors.Join(append(problems, unique(hosts))...)
}

// options are the words that may follow a host.
func options() []string {
	return []string{"key", "known_hosts", "bastion", "user", "port", "pool", "profile"}
}

func parseLine(words []string, w Where) ([]Host, error) {
	p := Pool{Hosts: words[:1]}
	name := ""
	var problems []error
	for _, word := range words[1:] {
		key, value, found := strings.Cut(word, "=")
		if !found || value == "" {
			problems = append(problems, fmt.Errorf("%q is no option: write KEY=VALUE", word))
			continue
		}
		switch key {
		case "pool":
			name = value
		default:
			problems = append(problems, p.set(key, value))
		}
	}
	hosts, err := p.list(name, w)
	return hosts, errors.Join(append(problems, err)...)
}

// set takes an option by its name.
func (p *Pool) set(key, value string) error {
	switch key {
	case "key":
		p.KeyFile = value
	case "known_hosts":
		p.KnownHosts = value
	case "bastion":
		p.Bastion = value
	case "user":
		p.User = value
	case "port":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 65535 {
			return fmt.Errorf("port %q is no number from 1 to 65535", value)
		}
		p.Port = n
	case "profile":
		found, ok := profile.BuiltIn(value)
		if !ok {
			return fmt.Errorf("there is no built-in profile %q%s", value, catalog.Instead(value, profile.Names()))
		}
		p.Profile = found
	default:
		return fmt.Errorf("there is no option %q%s", key, catalog.Instead(key, options()))
	}
	return nil
}

// Words are hosts of a command line, each as [user@]host[:port], with what they have in common.
func Words(p Pool, w Where) ([]Host, error) {
	hosts, err := p.list("", w)
	return hosts, errors.Join(err, unique(hosts))
}
