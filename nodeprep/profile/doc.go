// Package profile says what a host should be: wanted values by key, and nothing else.
//
// Rules:
//   - A [Profile] is data. Which keys there are, what is legal and how a host is brought there is the business of
//     package nodeprep, one file an item.
//   - A profile extends another key by key, never item by item: a key that is given replaces the one underneath, and an
//     empty value takes it away.
//   - A built-in profile holds only what is right on every host of its kind; whatever a site must know (a traffic
//     class, a driver's version, a cluster) has no default.
package profile

import (
	"maps"
	"slices"
)

// Profile is what a host should be, by key: "thp.enabled" = "madvise", "sysctl.vm.swappiness" = "10". A key that is
// left out leaves the host as it is.
type Profile struct {
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
}

// Extend returns a profile with the values of p, and those of over on top; an empty value takes a key away.
func (p Profile) Extend(name string, over map[string]string) Profile {
	values := maps.Clone(p.Values)
	if values == nil {
		values = map[string]string{}
	}
	for key, value := range over {
		if value == "" {
			delete(values, key)
		} else {
			values[key] = value
		}
	}
	return Profile{Name: name, Values: values}
}

// Keys are the keys in order.
func (p Profile) Keys() []string { return slices.Sorted(maps.Keys(p.Values)) }
