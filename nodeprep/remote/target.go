package remote

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kevinburke/ssh_config"
)

// Target is a host and how it is reached.
type Target struct {
	Host string // a name or an address
	Port int    // 0: 22
	User string
	// KeyFiles are private keys, in the order in which they are offered, each with its certificate beside it
	// (NAME-cert.pub) where there is one. Empty: the agent's keys.
	KeyFiles []string
	// Alias is the name under which the host's key is recorded; empty: Host.
	Alias string
	// Bastions are the hosts on the way, the first to be reached first. Each has credentials of its own.
	Bastions []Target
}

// Address is host and port.
func (t Target) Address() string {
	port := t.Port
	if port == 0 {
		port = 22
	}
	return net.JoinHostPort(t.Host, strconv.Itoa(port))
}

// keyName is the address under which the host's key is looked up.
func (t Target) keyName() string {
	if t.Alias == "" {
		return t.Address()
	}
	_, port, _ := net.SplitHostPort(t.Address()) // made by JoinHostPort
	return net.JoinHostPort(t.Alias, port)
}

// way identifies the host with its bastions, so that targets behind the same ones share a connection.
func (t Target) way() string {
	var b strings.Builder
	for _, hop := range t.Bastions {
		b.WriteString(hop.User + "@" + hop.Address() + " ")
	}
	return b.String() + t.User + "@" + t.Address()
}

// ParseTarget reads [user@]host[:port], as people write bastions.
func ParseTarget(text string) (Target, error) {
	var t Target
	rest := text
	if user, host, found := strings.Cut(text, "@"); found {
		t.User, rest = user, host
	}
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		host, port = strings.Trim(rest, "[]"), "22"
	}
	n, err := strconv.Atoi(port)
	if host == "" || strings.ContainsAny(host, " \t/@") || err != nil || n < 1 || n > 65535 || strings.HasPrefix(text, "@") {
		return Target{}, fmt.Errorf("%q is no host: write [user@]host[:port]", text)
	}
	t.Host, t.Port = host, n
	return t, nil
}

// Config resolves names by an OpenSSH client configuration.
type Config struct {
	config *ssh_config.Config
	home   string
}

// ReadConfig reads ssh_config. Match blocks that depend on more than the host's name are refused: to leave one out would
// connect otherwise than ssh does.
func ReadConfig(r io.Reader, home string) (*Config, error) {
	config, err := ssh_config.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("reading the SSH configuration: %w", err)
	}
	return &Config{config: config, home: home}, nil
}

// Target resolves an alias to a target, with the bastions that ProxyJump names. ProxyCommand is refused.
func (c *Config) Target(alias string) (Target, error) { return c.target(alias, 0) }

// maxJumps is how deep ProxyJump may nest; a bastion that needs itself would nest for ever.
const maxJumps = 8

func (c *Config) target(alias string, depth int) (Target, error) {
	if depth > maxJumps {
		return Target{}, fmt.Errorf("ProxyJump of %s leads round in circles", alias)
	}
	t, err := ParseTarget(alias)
	if err != nil {
		return t, err
	}
	if command := c.get(t.Host, "ProxyCommand"); command != "" && command != "none" {
		return t, fmt.Errorf("%s has a ProxyCommand, which is not supported: use ProxyJump", alias)
	}
	named := t.Host
	if name := c.get(named, "HostName"); name != "" {
		t.Host = strings.ReplaceAll(name, "%h", named)
	}
	if port := c.get(named, "Port"); port != "" && !strings.Contains(alias, ":") {
		if t.Port, err = strconv.Atoi(port); err != nil {
			return t, fmt.Errorf("the port of %s is %q", alias, port)
		}
	}
	if t.User == "" {
		t.User = c.get(named, "User")
	}
	t.Alias = c.get(named, "HostKeyAlias")
	files, err := c.config.GetAll(named, "IdentityFile")
	if err != nil {
		return t, fmt.Errorf("the keys of %s: %w", alias, err)
	}
	for _, f := range files {
		t.KeyFiles = append(t.KeyFiles, expand(f, c.home))
	}
	jumps := c.get(named, "ProxyJump")
	if jumps == "" || jumps == "none" {
		return t, nil
	}
	for jump := range strings.SplitSeq(jumps, ",") {
		hop, err := c.target(strings.TrimSpace(jump), depth+1)
		if err != nil {
			return t, err
		}
		t.Bastions = append(t.Bastions, append(hop.Bastions, withoutBastions(hop))...)
	}
	return t, nil
}

func withoutBastions(t Target) Target {
	t.Bastions = nil
	return t
}

func (c *Config) get(alias, key string) string {
	value, err := c.config.Get(alias, key)
	if err != nil {
		return ""
	}
	return value
}

// expand replaces a leading tilde.
func expand(path, home string) string {
	if rest, found := strings.CutPrefix(path, "~/"); found {
		return filepath.Join(home, rest)
	}
	return os.Expand(path, func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	})
}
