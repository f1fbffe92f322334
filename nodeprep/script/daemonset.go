package script

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// DaemonSetOptions say where a DaemonSet runs.
type DaemonSetOptions struct {
	Name      string // default: gpuyard-nodeprep
	Namespace string // default: kube-system
	// Image has sh and nsenter. It has no default: it runs as root on every node, so somebody must choose it.
	Image string
	// NodeSelector chooses nodes by label; empty: all.
	NodeSelector map[string]string
}

// word is a text that YAML cannot take for anything else once it is in quotes.
var word = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)

// DaemonSet is the body as a manifest: every node prepares itself once, when its pod starts. What a running node
// stands on (packages, drivers, the kernel's command line) is left out and reported as such.
//
// Parameters of a network namespace reach the node and not its pods (kubernetes#78977).
func (b Body) DaemonSet(o DaemonSetOptions) (string, error) {
	if o.Name == "" {
		o.Name = "gpuyard-nodeprep"
	}
	if o.Namespace == "" {
		o.Namespace = "kube-system"
	}
	if o.Image == "" {
		return "", fmt.Errorf("a DaemonSet needs an image that has sh and nsenter")
	}
	for _, text := range slices.Concat([]string{o.Name, o.Namespace, o.Image}, slices.Collect(maps.Keys(o.NodeSelector))) {
		if !word.MatchString(text) {
			return "", fmt.Errorf("%q is no name for a manifest", text)
		}
	}
	selector := ""
	for _, key := range slices.Sorted(maps.Keys(o.NodeSelector)) {
		selector += fmt.Sprintf("        %q: %q\n", key, o.NodeSelector[key])
	}
	if selector != "" {
		selector = "      nodeSelector:\n" + selector
	}
	text := b.carry("daemonset", "")
	return fmt.Sprintf(manifest, o.Name, o.Namespace, indented(text), b.Hash()[:12], selector, o.Image), nil
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line == "\n" {
			b.WriteString(line)
		} else {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

const manifest = `# Prepares the nodes of a cluster. Made by gpuyard.
apiVersion: v1
kind: ConfigMap
metadata:
  name: %[1]s
  namespace: %[2]s
data:
  nodeprep.sh: |
%[3]s---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: %[1]s
  namespace: %[2]s
spec:
  selector:
    matchLabels: {app: %[1]s}
  template:
    metadata:
      labels: {app: %[1]s}
      annotations: {gpuyard/script: "%[4]s"} # another script, another pod
    spec:
      hostPID: true
      priorityClassName: system-node-critical
      tolerations:
      - operator: Exists
%[5]s      initContainers:
      - name: prepare
        image: %[6]q
        command: [sh, -c, "nsenter -t 1 -m -u -i -n -p -- sh -s </nodeprep/nodeprep.sh"]
        securityContext: {privileged: true}
        volumeMounts:
        - {name: script, mountPath: /nodeprep}
      containers:
      - name: done
        image: %[6]q
        command: [sh, -c, "trap exit TERM; while :; do sleep 3600 & wait; done"]
      volumes:
      - name: script
        configMap: {name: %[1]s}
`
