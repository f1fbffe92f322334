package gpunodes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// migScript returns a script that splits every GPU of a node into as many parts of a profile as it holds, at this
// boot and every later one: a reboot undoes the split, and on Hopper and later GPUs MIG mode as well.
//
// The unit comes after the driver and before nodeadm starts kubelet, so that the device plugin finds the parts when it
// starts. An A100 in a virtual machine may change its mode only by a reboot: the unit then reboots the node once,
// before it joins the cluster. A node that could not be split joins all the same and offers no parts.
// Source: NVIDIA MIG User Guide, "Deployment Considerations" and "Getting Started with MIG"; amazon-eks-ami,
// nvidia-kmod-load.service and nodeadm-run.service.
func migScript(profile string, types []*catalog.InstanceType) string {
	if profile == "" {
		return ""
	}
	parts := migParts(profile, types[0])
	return fmt.Sprintf(`#!/bin/bash
# Splits the GPUs of this node into parts of %[1]s, at every boot before kubelet starts.
set -euo pipefail
cat > /usr/local/sbin/gpuyard-mig <<'EOF'
#!/bin/bash
set -euo pipefail
for _ in $(seq 60); do
  nvidia-smi -L > /dev/null 2>&1 && break
  sleep 5
done
mode() { nvidia-smi --query-gpu=mig.mode.current --format=csv,noheader | sort -u; }
[ "$(mode)" = Enabled ] || nvidia-smi -mig 1 || true
if [ "$(mode)" != Enabled ]; then
  if [ -e /var/lib/gpuyard-mig-rebooted ]; then
    echo "MIG mode is not enabled after a reboot" >&2
    exit 1
  fi
  touch /var/lib/gpuyard-mig-rebooted
  systemctl reboot
  sleep infinity
fi
[[ "$(nvidia-smi -L)" == *"MIG "* ]] || nvidia-smi mig -cgi %[2]s -C
EOF
chmod 755 /usr/local/sbin/gpuyard-mig
cat > /etc/systemd/system/gpuyard-mig.service <<'EOF'
[Unit]
Description=Split the GPUs into MIG devices
After=nvidia-kmod-load.service nvidia-persistenced.service nvidia-fabricmanager.service
Before=nodeadm-run.service kubelet.service

[Service]
Type=oneshot
RemainAfterExit=true
ExecStart=/usr/local/sbin/gpuyard-mig

[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now gpuyard-mig.service
`, profile, strings.Join(slices.Repeat([]string{profile}, parts), ","))
}
