package storage

import (
	"fmt"

	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// rookImage holds Ceph's commands and Rook's own script that configures them.
const rookImage = "docker.io/rook/ceph:" + rookVersion

// countOSDs waits until as many OSDs are up as are planned. When they are not in time it prints what there is, and fails.
const countOSDs = `want=%d
for i in $(seq 1 90); do
  up=$(ceph osd stat --format json | tr ',' '\n' | sed -n 's/.*"num_up_osds":\([0-9]*\).*/\1/p')
  echo "${up:-0} of ${want} disks have joined"
  [ "${up:-0}" -ge "$want" ] && exit 0
  sleep 10
done
ceph osd tree
echo "A disk that carries a file system, RAID, LVM or an older Ceph is skipped: see the logs of the pods rook-ceph-osd-prepare, and lsblk -f on the node."
exit 1
`

// readiness registers a job that succeeds when all planned disks have joined. Another number of disks is another job.
// Source: Rook 1.20.6, deploy/examples/toolbox-job.yaml (what a pod needs to speak to Ceph); rook#6832, rook#7457.
func (b *cephBuilder) readiness() error {
	name := fmt.Sprintf("%s-osds", b.name)
	spec := pulumi.Map{
		"restartPolicy":  pulumi.String("OnFailure"),
		"initContainers": pulumi.Array{configureCommands()},
		"containers": pulumi.Array{pulumi.Map{
			"name": pulumi.String("count"), "image": pulumi.String(rookImage),
			"command":      pulumi.ToStringArray([]string{"bash", "-c", fmt.Sprintf(countOSDs, b.plan.OSDs)}),
			"volumeMounts": pulumi.Array{mount("ceph-config", "/etc/ceph", true)},
		}},
		"volumes": pulumi.Array{
			pulumi.Map{"name": pulumi.String("ceph-config"), "emptyDir": pulumi.Map{}},
			pulumi.Map{"name": pulumi.String("mon-endpoint-volume"), "configMap": pulumi.Map{
				"name": pulumi.String("rook-ceph-mon-endpoints"), "items": pulumi.Array{item("data", "mon-endpoints")},
			}},
			pulumi.Map{"name": pulumi.String("ceph-admin-secret"), "secret": pulumi.Map{
				"secretName": pulumi.String("rook-ceph-mon"), "items": pulumi.Array{item("ceph-secret", "secret.keyring")},
			}},
		},
	}
	job, err := manifest.New(b.ctx, name, manifest.Object{
		APIVersion: "batch/v1", Kind: "Job", Name: name, Namespace: cephNamespace,
		Fields: pulumi.Map{"spec": pulumi.Map{
			"backoffLimit": pulumi.Int(3), "activeDeadlineSeconds": pulumi.Int(1800),
			"template": pulumi.Map{"spec": spec},
		}},
	}, b.with(pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "35m", Update: "35m"}))...)
	if err != nil {
		return err
	}
	b.after = []pulumi.Resource{job}
	return nil
}

// configureCommands returns the container that writes the configuration of Ceph's commands.
func configureCommands() pulumi.Map {
	return pulumi.Map{
		"name": pulumi.String("configure"), "image": pulumi.String(rookImage),
		"command": pulumi.ToStringArray([]string{"/usr/local/bin/toolbox.sh"}), "args": pulumi.ToStringArray([]string{"--skip-watch"}),
		"env": pulumi.Array{pulumi.Map{"name": pulumi.String("ROOK_CEPH_USERNAME"), "valueFrom": pulumi.Map{
			"secretKeyRef": pulumi.Map{"name": pulumi.String("rook-ceph-mon"), "key": pulumi.String("ceph-username")},
		}}},
		"volumeMounts": pulumi.Array{
			mount("ceph-config", "/etc/ceph", false), mount("mon-endpoint-volume", "/etc/rook", true),
			mount("ceph-admin-secret", "/var/lib/rook-ceph-mon", true),
		},
	}
}

func mount(volume, path string, readOnly bool) pulumi.Map {
	m := pulumi.Map{"name": pulumi.String(volume), "mountPath": pulumi.String(path)}
	if readOnly {
		m["readOnly"] = pulumi.Bool(true)
	}
	return m
}

func item(key, path string) pulumi.Map {
	return pulumi.Map{"key": pulumi.String(key), "path": pulumi.String(path)}
}
