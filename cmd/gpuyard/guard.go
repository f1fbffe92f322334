package main

import (
	"fmt"
	"slices"
	"strings"
)

// holdsState tells the resources that cannot be replaced without losing what is in them or everything that stands on
// them. Plain `pulumi up` would go ahead and fail in the middle: EKS does not move a cluster into another VPC, and a
// second cluster of the same name does not come up while the first is there.
func holdsState(token string) bool {
	return slices.Contains([]string{
		"aws:ec2/vpc:Vpc",
		"aws:ec2/subnet:Subnet",
		"aws:eks/cluster:Cluster",
		"aws:kms/key:Key",
	}, token)
}

// refuseLoss refuses an update whose preview replaces something that holds state.
func refuseLoss(preview *progress) error {
	if len(preview.replaced) == 0 {
		return nil
	}
	return fmt.Errorf("refused, and nothing was changed: this would replace\n  - %s\nand everything that stands on it. "+
		"Undo that edit, or describe a new environment and move over to it",
		strings.Join(preview.replaced, "\n  - "))
}
