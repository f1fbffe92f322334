package aws

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/fsx"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const lustreToken = "aws:fsx/lustreFileSystem:LustreFileSystem"

const fsxSource = "FSx API, CreateFileSystem and CreateFileSystemLustreConfiguration"

func lustreFileSystem() *engine.Resource {
	return &engine.Resource{
		Token: lustreToken, Args: fsx.LustreFileSystemArgs{}, State: fsx.LustreFileSystem{},
		Replace: []string{
			"subnetIds", "securityGroupIds", "deploymentType", "storageType", "kmsKeyId", "efaEnabled", "fileSystemTypeVersion", "backupId",
			"copyTagsToBackups", "importPath", "exportPath", "importedFileChunkSize", "driveCacheType", "metadataConfiguration.mode",
		},
		ReplaceIf: shrinks,
		Refs: []engine.Ref{
			{Path: "subnetIds", To: subnetToken, By: byID, Code: "InvalidNetworkSettings", Holds: true},
			{Path: "securityGroupIds[*]", To: securityGroupToken, By: byID, Code: "InvalidNetworkSettings", Holds: true},
			{Path: "kmsKeyId", To: keyToken, By: []string{"arn"}, Code: "InvalidKmsKey"},
		},
		Plan: []engine.Rule{
			oneOf("deploymentType", fsxSource, "SCRATCH_1", "SCRATCH_2", "PERSISTENT_1", "PERSISTENT_2"),
			oneOf("storageType", fsxSource, "SSD", "HDD", "INTELLIGENT_TIERING"),
			oneOf("dataCompressionType", fsxSource, "NONE", "LZ4"),
			oneOf("fileSystemTypeVersion", fsxSource, "2.10", "2.12", "2.15"),
			oneOf("metadataConfiguration.mode", fsxSource, "AUTOMATIC", "USER_PROVISIONED"),
			between("automaticBackupRetentionDays", fsxSource, 0, 90),
			given("storageCapacity"),
			lustreThroughput, lustreCapacity, lustreEFA, lustreMetadata, lustreVersion, lustreBackups,
		},
		Apply: []engine.Rule{lustreGroup, throughputFixed},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("fs-")
			if err != nil {
				return "", nil, err
			}
			s, _ := c.Resolve("subnetIds")
			out := engine.Outputs{
				"arn": arn(c, "fsx", "file-system/"+id), "ownerId": engine.Account, "vpcId": s.Out.Str("vpcId"),
				"dnsName": id + ".fsx." + c.Region + "." + partition(c.Region).dnsSuffix, "mountName": mountName(id),
				"networkInterfaceIds": []any{"eni-0" + strings.TrimPrefix(id, "fs-0")},
			}
			for name, value := range map[string]any{
				"deploymentType": "SCRATCH_1", "storageType": "SSD", "fileSystemTypeVersion": "2.10", "dataCompressionType": "NONE",
				"skipFinalBackup": true, "automaticBackupRetentionDays": 0, "weeklyMaintenanceStartTime": "1:05:00", "efaEnabled": false,
			} {
				setDefault(c, out, name, value)
			}
			if days, _ := c.In.Int("automaticBackupRetentionDays"); days > 0 {
				setDefault(c, out, "dailyAutomaticBackupStartTime", "05:00")
			}
			return id, out, nil
		},
		Fills: []string{"metadataConfiguration.iops"},
	}
}

// mountName is eight letters, as FSx makes them for file systems with a version of 2.12 or later.
func mountName(id string) string {
	digits := strings.TrimPrefix(id, "fs-0")
	name := []byte(digits[:8])
	for i, b := range name {
		if b >= '0' && b <= '9' {
			name[i] = 'g' + b - '0'
		}
	}
	return string(name)
}

// shrinks says what makes a file system anew by how it changes: capacity and metadata only ever grow.
// Source: AWS provider, aws_fsx_lustre_file_system (CustomizeDiff).
func shrinks(was, in engine.Props) []string {
	var paths []string
	for _, path := range []string{"storageCapacity", "metadataConfiguration.iops"} {
		before, had := was.Int(path)
		if now, has := in.Int(path); had && has && now < before {
			paths = append(paths, path)
		}
	}
	return paths
}

// lustreTiers are the throughputs of each type of file system on SSD, in MB/s for each TiB.
var lustreTiers = map[string][]int{"PERSISTENT_1": {50, 100, 200}, "PERSISTENT_2": {125, 250, 500, 1000}}

var lustreThroughput = engine.Rule{
	Name: "lustre-throughput", Says: "`perUnitStorageThroughput` is given for persistent file systems, and is 125, 250, 500 or 1000 for PERSISTENT_2 on SSD", Source: fsxSource,
	Judge: func(c *engine.Call) error {
		kind := c.In.Str("deploymentType")
		tiers, persistent := lustreTiers[kind]
		n, given := c.In.Int("perUnitStorageThroughput")
		switch {
		case c.In.Unknown("deploymentType") || c.In.Str("storageType") == "HDD" || c.In.Str("storageType") == "INTELLIGENT_TIERING":
			return nil
		case !persistent && given:
			return engine.Invalid("perUnitStorageThroughput", "only persistent file systems have it, and this is %s", orElse(kind, "SCRATCH_1"))
		case persistent && !given:
			return engine.Invalid("perUnitStorageThroughput", "missing: %s needs one of %v", kind, tiers)
		case persistent && !slices.Contains(tiers, n):
			return engine.Invalid("perUnitStorageThroughput", "got %d, wanted one of %v for %s", n, tiers, kind)
		}
		return nil
	},
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

var lustreCapacity = engine.Rule{
	Name: "lustre-capacity", Says: "`storageCapacity` is 1,200 or a multiple of 2,400 GiB; with EFA a multiple of 4,800 at 1000 MB/s/TiB, 9,600 at 500, 19,200 at 250, 38,400 at 125",
	Source: "FSx for Lustre User Guide, \"Increasing storage capacity\"",
	Judge: func(c *engine.Call) error {
		n, given := c.In.Int("storageCapacity")
		if !given || c.In.Str("storageType") == "HDD" || c.In.Str("storageType") == "INTELLIGENT_TIERING" {
			return nil
		}
		step := 2400
		if tier, ok := c.In.Int("perUnitStorageThroughput"); ok && tier > 0 && c.In.Bool("efaEnabled") {
			step = 4800 * 1000 / tier
		} else if n == 1200 {
			return nil
		}
		if n <= 0 || n%step != 0 {
			return &engine.Error{Path: "storageCapacity", Code: "BadRequest", Message: fmt.Sprintf("got %d GiB, wanted a multiple of %d", n, step)}
		}
		return nil
	},
}

var lustreEFA = engine.Rule{
	Name: "lustre-efa", Says: "EFA is for PERSISTENT_2 with a metadata configuration", Source: fsxSource,
	Judge: func(c *engine.Call) error {
		switch {
		case !c.In.Bool("efaEnabled"):
			return nil
		case c.In.Str("deploymentType") != "PERSISTENT_2" && !c.In.Unknown("deploymentType"):
			return engine.Invalid("efaEnabled", "only PERSISTENT_2 has EFA, and this is %s", orElse(c.In.Str("deploymentType"), "SCRATCH_1"))
		case !c.In.Has("metadataConfiguration"):
			return engine.Invalid("metadataConfiguration", "missing: a file system with EFA needs one")
		}
		return nil
	},
}

var lustreMetadata = engine.Rule{
	Name: "lustre-metadata", Says: "a metadata configuration is for PERSISTENT_2; `iops` goes with USER_PROVISIONED and is 1500, 3000, 6000 or a multiple of 12000 up to 192000", Source: fsxSource,
	Judge: func(c *engine.Call) error {
		if !c.In.Has("metadataConfiguration") {
			return nil
		}
		if kind := c.In.Str("deploymentType"); kind != "PERSISTENT_2" && !c.In.Unknown("deploymentType") {
			return engine.Invalid("metadataConfiguration", "only PERSISTENT_2 has one, and this is %s", orElse(kind, "SCRATCH_1"))
		}
		iops, given := c.In.Int("metadataConfiguration.iops")
		provisioned := c.In.Str("metadataConfiguration.mode") == "USER_PROVISIONED"
		legal := slices.Contains([]int{1500, 3000, 6000}, iops) || iops > 0 && iops%12000 == 0 && iops <= 192000
		switch {
		case given && !provisioned:
			return engine.Invalid("metadataConfiguration.iops", "it goes with the mode USER_PROVISIONED")
		case provisioned && !legal:
			return engine.Invalid("metadataConfiguration.iops", "got %d, wanted 1500, 3000, 6000, or a multiple of 12000 up to 192000", iops)
		}
		return nil
	},
}

var lustreVersion = engine.Rule{
	Name: "lustre-version", Says: "PERSISTENT_2 has Lustre 2.12 or 2.15, and is told which: the default is older", Source: "FSx API, CreateFileSystem, FileSystemTypeVersion",
	Judge: func(c *engine.Call) error {
		version := orElse(c.In.Str("fileSystemTypeVersion"), "2.10")
		if c.In.Str("deploymentType") == "PERSISTENT_2" && version == "2.10" && !c.In.Unknown("fileSystemTypeVersion") && c.In.Has("fileSystemTypeVersion") {
			return engine.Invalid("fileSystemTypeVersion", "PERSISTENT_2 has no Lustre 2.10: set 2.15")
		}
		return nil
	},
}

var lustreBackups = engine.Rule{
	Name: "lustre-backups", Says: "backups are for persistent file systems, and what belongs to daily ones needs a retention", Source: fsxSource,
	Judge: func(c *engine.Call) error {
		days, _ := c.In.Int("automaticBackupRetentionDays")
		_, persistent := lustreTiers[c.In.Str("deploymentType")]
		switch {
		case days > 0 && !persistent && !c.In.Unknown("deploymentType"):
			return engine.Invalid("automaticBackupRetentionDays", "a scratch file system has no backups")
		case days == 0 && c.In.Has("dailyAutomaticBackupStartTime") && !c.In.Unknown("automaticBackupRetentionDays"):
			return engine.Invalid("dailyAutomaticBackupStartTime", "without automaticBackupRetentionDays there are no daily backups")
		}
		return nil
	},
}

var throughputFixed = engine.Rule{
	Name: "throughput-fixed", Says: "the throughput of a file system with EFA does not change", Source: "AWS provider, aws_fsx_lustre_file_system, efa_enabled",
	Judge: func(c *engine.Call) error {
		before, had := c.Was.Int("perUnitStorageThroughput")
		now, _ := c.In.Int("perUnitStorageThroughput")
		if had && before != now && c.Was.Bool("efaEnabled") {
			return engine.Refuse("BadRequest", "PerUnitStorageThroughput of an EFA-enabled file system cannot be updated: it has %d, got %d", before, now)
		}
		return nil
	},
}

// lustreNeeds are the ports that the group of a file system opens to itself.
var lustreNeeds = [][2]int{{988, 988}, {1018, 1023}}

var lustreGroup = engine.Rule{
	Name: "lustre-group", Says: "its security groups let Lustre (988, 1018 to 1023) in from themselves, and all traffic in and out with EFA", Source: "FSx for Lustre User Guide, \"Can't create a file system\"; FSx API, InvalidNetworkSettings",
	Judge: func(c *engine.Call) error {
		var errs []error
		groups := c.In.Strs("securityGroupIds[*]")
		if len(groups) == 0 {
			errs = append(errs, engine.Refuse("InvalidNetworkSettings", "the default security group of the VPC does not let Lustre in from itself: give securityGroupIds"))
		}
		for _, id := range groups {
			if c.In.Bool("efaEnabled") {
				if !opensToItself(c, ingressRuleToken, id, -1, -1) || !opensToItself(c, egressRuleToken, id, -1, -1) {
					errs = append(errs, engine.Refuse("InvalidNetworkSettings", "The security group %s does not permit all traffic to and from itself, as EFA needs: add a rule of protocol -1 in each direction, and let the file system depend on both", id))
				}
				continue
			}
			for _, ports := range lustreNeeds {
				if !opensToItself(c, ingressRuleToken, id, ports[0], ports[1]) {
					errs = append(errs, engine.Refuse("InvalidNetworkSettings", "The security group %s does not permit Lustre LNET network traffic on port %d from itself: add rules for 988 and 1018 to 1023, and let the file system depend on them", id, ports[0]))
				}
			}
		}
		return errors.Join(errs...)
	},
}

// opensToItself says whether a group has a rule of its own resource that opens ports to the group itself; -1 is all traffic.
func opensToItself(c *engine.Call, token, group string, from, to int) bool {
	for _, r := range c.All(token) {
		if r.In.Str("securityGroupId") != group || r.In.Str("referencedSecurityGroupId") != group {
			continue
		}
		low, _ := r.In.Int("fromPort")
		high, _ := r.In.Int("toPort")
		all := r.In.Str("ipProtocol") == "-1"
		if all || from >= 0 && r.In.Str("ipProtocol") == "tcp" && low <= from && high >= to {
			return true
		}
	}
	return false
}
