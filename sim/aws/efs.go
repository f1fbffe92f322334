package aws

import (
	"fmt"
	"regexp"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/efs"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	fileSystemToken  = "aws:efs/fileSystem:FileSystem"
	mountTargetToken = "aws:efs/mountTarget:MountTarget"
	accessPointToken = "aws:efs/accessPoint:AccessPoint"
)

func fileSystem() *engine.Resource {
	const source = "EFS API, CreateFileSystem"
	return &engine.Resource{
		Token: fileSystemToken, Args: efs.FileSystemArgs{}, State: efs.FileSystem{},
		Replace: []string{"availabilityZoneName", "creationToken", "encrypted", "kmsKeyId", "performanceMode"},
		Refs:    []engine.Ref{{Path: "kmsKeyId", To: keyToken, By: []string{"arn"}, Code: "BadRequest"}},
		Plan: []engine.Rule{
			oneOf("performanceMode", source, "generalPurpose", "maxIO"),
			oneOf("throughputMode", source, "bursting", "provisioned", "elastic"),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("fs-")
			out := engine.Outputs{
				"arn": arn(c, "elasticfilesystem", "file-system/"+id), "dnsName": fmt.Sprintf("%s.efs.%s.%s", id, c.Region, partition(c.Region).dnsSuffix), "ownerId": engine.Account,
			}
			setDefault(c, out, "performanceMode", "generalPurpose")
			setDefault(c, out, "throughputMode", "bursting")
			return id, out, err
		},
	}
}

// ofFileSystem is the reference to a file system, which cannot go while something is in it.
func ofFileSystem() engine.Ref {
	return engine.Ref{Path: "fileSystemId", To: fileSystemToken, By: byID, Code: "FileSystemNotFound", Holds: true}
}

func mountTarget() *engine.Resource {
	return &engine.Resource{
		Token: mountTargetToken, Args: efs.MountTargetArgs{}, State: efs.MountTarget{},
		Replace: []string{"fileSystemId", "subnetId", "ipAddress"},
		Refs: []engine.Ref{
			ofFileSystem(),
			{Path: "subnetId", To: subnetToken, By: byID, Code: "SubnetNotFound", Holds: true},
			{Path: "securityGroups[*]", To: securityGroupToken, By: byID, Code: "SecurityGroupNotFound", Holds: true},
		},
		Apply: []engine.Rule{oneTargetAZone},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("fsmt-")
			subnet, _ := c.Resolve("subnetId")
			fs, _ := c.Resolve("fileSystemId")
			return id, engine.Outputs{
				"fileSystemArn": fs.Out.Str("arn"), "dnsName": fs.Out.Str("dnsName"), "ownerId": engine.Account,
				"availabilityZoneId": subnet.Out.Str("availabilityZoneId"), "availabilityZoneName": subnet.Out.Str("availabilityZone"),
			}, err
		},
	}
}

var oneTargetAZone = engine.Rule{
	Name: "one-target-a-zone", Says: "a file system has one mount target in a zone, all in one VPC", Source: "EFS API, CreateMountTarget (MountTargetConflict)",
	Judge: func(c *engine.Call) error {
		mine, ok := c.Resolve("subnetId")
		for _, other := range c.Others(mountTargetToken) {
			theirs, _ := c.Get(subnetToken, other.In.Str("subnetId"))
			same := other.In.Str("fileSystemId") == c.In.Str("fileSystemId")
			if ok && same && (theirs.Out.Str("availabilityZoneId") == mine.Out.Str("availabilityZoneId") || theirs.In.Str("vpcId") != mine.In.Str("vpcId")) {
				return engine.Refuse("MountTargetConflict", "mount target already exists in this AZ, or in another VPC: %s", other.ID)
			}
		}
		return nil
	},
}

func accessPoint() *engine.Resource {
	return &engine.Resource{
		Token: accessPointToken, Args: efs.AccessPointArgs{}, State: efs.AccessPoint{},
		Replace: []string{"fileSystemId", "posixUser", "rootDirectory"},
		Refs:    []engine.Ref{ofFileSystem()},
		Plan: []engine.Rule{
			shape("rootDirectory.creationInfo.permissions", "has three or four octal digits", "EFS API, CreateAccessPoint", regexp.MustCompile(`^[0-7]{3,4}$`)),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("fsap-")
			fs, _ := c.Resolve("fileSystemId")
			return id, engine.Outputs{"arn": arn(c, "elasticfilesystem", "access-point/"+id), "fileSystemArn": fs.Out.Str("arn"), "ownerId": engine.Account}, err
		},
	}
}
