//go:build realhosts

package opensshtest_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
)

// TestRevert has a host be what it was, to the last file, owner and mode.
func TestRevert(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{Prepare: "mkdir -p /etc/needrestart/conf.d; echo own >/etc/needrestart/conf.d/zz-gpuyard.conf; chmod 640 /etc/needrestart/conf.d/zz-gpuyard.conf"})
	p := wanted(nil)
	r := runner(t, h.Target(opensshtest.Admin), nil)
	const print = "find /etc /var/lib/gpuyard ! -type d -exec stat -c '%n %a %U %s' {} + 2>/dev/null | sort; " +
		"find /etc -type f -exec sha256sum {} + | sort; sysctl vm.swappiness net.core.somaxconn"
	before := shell(t, h, print)
	_, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
	must(t, err)
	if shell(t, h, print) == before {
		t.Fatal("nothing was changed, so nothing is shown")
	}
	results, err := nodeprep.Revert(t.Context(), r, p)
	must(t, err)
	if after := shell(t, h, print); after != before {
		t.Errorf("it was\n%s\nand is\n%s\n%v", before, after, results)
	}
}
