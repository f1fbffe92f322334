package kubernetes

// lustreChart is the CSI driver of FSx for Lustre.
// Source: aws-fsx-csi-driver, charts/aws-fsx-csi-driver/values.yaml of version 1.17.0.
func lustreChart() chart {
	sidecar := keys{"image": {"repository": nil, "tag": nil, "pullPolicy": nil}, "logLevel": nil, "resources": nil, "securityContext": nil}
	account := keys{"create": nil, "name": nil, "annotations": nil}
	return chart{
		repo: "https://kubernetes-sigs.github.io/aws-fsx-csi-driver", name: "aws-fsx-csi-driver", version: "1.17.0", appVersion: "1.9.0",
		values: keys{
			"image": {"repository": nil, "tag": nil, "pullPolicy": nil}, "csidriver": {"fsGroupPolicy": nil},
			"nameOverride": nil, "fullnameOverride": nil, "imagePullSecrets": nil, "nodeComponentOnly": nil,
			"sidecars": {"livenessProbe": sidecar, "nodeDriverRegistrar": sidecar, "provisioner": sidecar, "resizer": sidecar},
			"controller": {
				"mode": nil, "loggingFormat": nil, "nodeSelector": nil, "replicaCount": nil, "resources": nil, "serviceAccount": account, "logLevel": nil,
				"podAnnotations": nil, "region": nil, "tolerations": nil, "timeout": nil, "securityContext": nil, "containerSecurityContext": nil,
				"leaderElectionRenewDeadline": nil, "leaderElectionLeaseDuration": nil, "affinity": nil, "podLabels": nil,
				"topologySpreadConstraints": nil, "podDisruptionBudget": {"enabled": nil, "unhealthyPodEvictionPolicy": nil}, "extraTags": nil,
			},
			"node": {
				"mode": nil, "loggingFormat": nil, "logLevel": nil, "kubeletPath": nil, "nodeSelector": nil, "updateStrategy": nil, "resources": nil,
				"dnsPolicy": nil, "dnsConfig": nil, "serviceAccount": account, "healthPort": nil, "securityContext": nil, "env": nil, "volumes": nil,
				"volumeMounts": nil, "podAnnotations": nil, "tolerateAllTaints": nil, "tolerations": nil, "affinity": nil, "podLabels": nil,
			},
		},
	}
}
