package main

import (
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// inCluster has components work in the cluster of the kubeconfig that is a secret of the stack's configuration.
func inCluster(ctx *pulumi.Context) (pulumi.ResourceOption, error) {
	provider, err := kubernetes.NewProvider(ctx, "kubernetes", &kubernetes.ProviderArgs{Kubeconfig: config.RequireSecret(ctx, "kubeconfig")})
	return pulumi.Providers(provider), err
}
