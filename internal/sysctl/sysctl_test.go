package sysctl_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/internal/sysctl"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for key, path := range map[string]string{
		"net.core.somaxconn":             "net/core/somaxconn",
		"net/core/somaxconn":             "net/core/somaxconn",
		"net.ipv4.conf.eth0/7.rp_filter": "net/ipv4/conf/eth0.7/rp_filter",
	} {
		if got := sysctl.Path(key); got != path {
			t.Errorf("path of %s: %s", key, got)
		}
	}
	if got := sysctl.Key("net/ipv4/conf/eth0.7/rp_filter"); got != "net.ipv4.conf.eth0/7.rp_filter" {
		t.Errorf("key: %s", got)
	}
}
