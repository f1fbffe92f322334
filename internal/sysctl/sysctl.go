// Package sysctl knows the two spellings of a kernel parameter. Node preparation asks for parameters by their path, and
// Bottlerocket takes them so: both must agree, so the rule is neutral ground.
package sysctl

import "strings"

// Path returns a key's path below /proc/sys, with slashes between its parts. Dots divide, unless slashes do.
//
// Source: sysctl.d(5).
func Path(key string) string {
	dot, slash := strings.IndexByte(key, '.'), strings.IndexByte(key, '/')
	if slash >= 0 && (dot < 0 || slash < dot) {
		return key
	}
	// The first separator is a dot: dots and slashes trade places, so net.ipv4.conf.eth0/1.x is a path with eth0.1.
	return strings.Map(func(r rune) rune {
		switch r {
		case '.':
			return '/'
		case '/':
			return '.'
		}
		return r
	}, key)
}

// Key returns the usual name of a path below /proc/sys.
func Key(path string) string { return Path("." + path)[1:] }
