package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/inventory"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/stacks"
)

// profileFlags say what hosts should be.
type profileFlags struct {
	name      string
	blueprint string
	set       []string
	setFile   []string
}

func (f *profileFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.name, "profile", "", "what hosts should be: "+strings.Join(profile.Names(), ", ")+", or a node_profile of --blueprint")
	flags.StringVar(&f.blueprint, "blueprint", "", "environment or blueprint file whose node_profile is meant")
	flags.StringArrayVar(&f.set, "set", nil, "one more key, as KEY=VALUE; an empty value takes the key away; may be repeated")
	flags.StringArrayVar(&f.setFile, "set-file", nil, "one more key whose value is in a file, as KEY=FILE: for secrets; may be repeated")
}

// find returns the profile that the flags choose; without a name it has none.
func (a *app) findProfile(f profileFlags) (profile.Profile, error) {
	if f.blueprint == "" {
		if f.name == "" {
			return profile.Profile{}, nil
		}
		p, found := profile.BuiltIn(f.name)
		if !found {
			return p, usageError{fmt.Errorf("there is no built-in profile %q%s", f.name, catalog.Instead(f.name, profile.Names()))}
		}
		return p, nil
	}
	if f.name == "" {
		return profile.Profile{}, usageError{errors.New("--blueprint says where a profile is: add --profile to say which")}
	}
	b, diags, err := a.load(f.blueprint)
	if err != nil {
		return profile.Profile{}, err
	}
	if err := a.write(diags); err != nil {
		return profile.Profile{}, err
	}
	return declared(b, f.name)
}

// declared is a node_profile of a blueprint.
func declared(b *blueprint.Blueprint, name string) (profile.Profile, error) {
	names := profile.Names()
	for _, p := range b.NodeProfiles {
		if p.Name.Value == name {
			return stacks.HostProfile(p), nil
		}
		names = append(names, p.Name.Value)
	}
	p, found := profile.BuiltIn(name)
	if !found {
		return p, usageError{fmt.Errorf("the blueprint has no node_profile %q%s", name, catalog.Instead(name, names))}
	}
	return p, nil
}

// over are the keys that lie on top of a profile.
func (f *profileFlags) over() (map[string]string, error) {
	over := map[string]string{}
	for _, text := range f.set {
		key, value, found := strings.Cut(text, "=")
		if !found || key == "" {
			return nil, usageError{fmt.Errorf("--set %s: write KEY=VALUE", text)}
		}
		over[key] = value
	}
	for _, text := range f.setFile {
		key, path, found := strings.Cut(text, "=")
		if !found || key == "" || path == "" {
			return nil, usageError{fmt.Errorf("--set-file %s: write KEY=FILE", text)}
		}
		value, err := os.ReadFile(path)
		if err != nil {
			return nil, usageError{fmt.Errorf("--set-file %s: %w", key, err)}
		}
		over[key] = strings.TrimRight(string(value), "\r\n")
	}
	return over, nil
}

// prepare gives every host its profile: the one that the flags choose, or else its own, and the keys of the flags on top.
// needed says that a host without one is a mistake. Every distinct profile is judged once, before any host is asked.
func (a *app) giveProfiles(hosts []inventory.Host, f profileFlags, needed bool) error {
	named, err := a.findProfile(f)
	if err != nil {
		return err
	}
	over, err := f.over()
	if err != nil {
		return err
	}
	judged := map[string]bool{}
	for n := range hosts {
		p := hosts[n].Profile
		if named.Name != "" {
			p = named
		}
		if p.Name == "" && len(p.Values) == 0 && len(over) == 0 && needed {
			return usageError{fmt.Errorf("nothing says what %s should be: add --profile (%s) or --set", hosts[n].Name, strings.Join(profile.Names(), ", "))}
		}
		p = p.Extend(p.Name, over)
		hosts[n].Profile = p
		if hash := nodeprep.ProfileHash(p); !judged[hash] {
			judged[hash] = true
			if problems := nodeprep.Check(p); len(problems) > 0 {
				return usageError{&nodeprep.InvalidProfileError{Problems: problems}}
			}
		}
	}
	return nil
}

// aboutFleet finds the hosts of a command line and what each should be, before any is asked.
func (a *app) aboutFleet(cmd *cobra.Command, args []string, f *fleetFlags, needed bool) ([]inventory.Host, error) {
	if err := f.report.check(); err != nil {
		return nil, err
	}
	hosts, err := a.findHosts(cmd.Context(), args, &f.hosts)
	if err != nil {
		return nil, err
	}
	return hosts, a.giveProfiles(hosts, f.profile, needed)
}
