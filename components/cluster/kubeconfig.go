package cluster

import (
	"encoding/json"
	"fmt"
)

// kubeconfig writes a client configuration for a cluster. It asks the AWS CLI for a token each time, with the
// credentials and the profile of whoever uses it, so that it can be handed on and does not expire. It is JSON,
// which is YAML too. Source: EKS User Guide, "Connect kubectl to an EKS cluster by creating a kubeconfig file".
func kubeconfig(name, endpoint, certificateAuthority, region string) (string, error) {
	type object = map[string]any
	config := object{
		"apiVersion": "v1",
		"kind":       "Config",
		"clusters": []object{{"name": name, "cluster": object{
			"server": endpoint, "certificate-authority-data": certificateAuthority,
		}}},
		"users": []object{{"name": name, "user": object{"exec": object{
			"apiVersion": "client.authentication.k8s.io/v1beta1",
			"command":    "aws",
			"args":       []string{"eks", "get-token", "--cluster-name", name, "--region", region, "--output", "json"},
		}}}},
		"contexts":        []object{{"name": name, "context": object{"cluster": name, "user": name}}},
		"current-context": name,
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return "", fmt.Errorf("writing the kubeconfig of %s: %w", name, err)
	}
	return string(text) + "\n", nil
}
