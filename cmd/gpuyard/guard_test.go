package main

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

func TestRefusedLossNamesStores(t *testing.T) {
	t.Parallel()
	const stack = "urn:pulumi:prod::gpuyard::"
	bucket := stack + "gpuyard:storage:S3$aws:s3/bucketV2:BucketV2::prod-datasets"
	for name, c := range map[string]struct {
		problems []string
		want     string // part of the error; empty: it is for another reason
	}{
		"a removed bucket":    {[]string{"resource \"" + bucket + "\" cannot be deleted\nbecause it is protected."}, "- aws:s3:BucketV2 prod-datasets\n"},
		"said twice":          {[]string{"unable to replace resource \"" + bucket + "\"\nas it is currently marked for protection", bucket + " is protected"}, "data\n  - aws:s3:BucketV2 prod-datasets\nUndo"},
		"a protected network": {[]string{"resource \"" + stack + "gpuyard:network:VPC$aws:ec2/vpc:Vpc::prod\" cannot be deleted\nbecause it is protected."}, ""},
		"another failure":     {[]string{bucket + " failed: BucketAlreadyExists"}, ""},
		"nothing":             {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := refusedLoss(c.problems)
			if c.want == "" {
				if err != nil {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "allow_data_loss = true") {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestVersionStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ was, want, says string }{
		{"1.34", "1.34", ""},
		{"1.34", "1.35", ""},
		{"1.33", "1.35", "from 1.33 to 1.34 first"},
		{"1.35", "1.34", `write kubernetes_version = "1.35" again`},
		{"", "1.35", ""},
	} {
		got := versionStep(apitype.StepEventMetadata{
			Type: "aws:eks/cluster:Cluster", Op: apitype.OpUpdate,
			Old: &apitype.StepEventStateMetadata{Inputs: map[string]any{"version": c.was}},
			New: &apitype.StepEventStateMetadata{Inputs: map[string]any{"version": c.want}},
		})
		if (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s to %s: %q, want %q", c.was, c.want, got, c.says)
		}
	}
}
