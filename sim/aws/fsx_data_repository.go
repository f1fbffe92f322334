package aws

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/fsx"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const associationOfBucket = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"

// mostLinks is how many buckets or prefixes a file system is linked to.
// Source: FSx API, CreateDataRepositoryAssociation.
const mostLinks = 8

func dataRepositoryAssociation() *engine.Resource {
	const source = "FSx API, CreateDataRepositoryAssociation"
	events := []string{"NEW", "CHANGED", "DELETED"}
	return &engine.Resource{
		Token: associationOfBucket, Args: fsx.DataRepositoryAssociationArgs{}, State: fsx.DataRepositoryAssociation{},
		Replace: []string{"fileSystemId", "fileSystemPath", "dataRepositoryPath", "batchImportMetaDataOnCreate"},
		Refs:    []engine.Ref{{Path: "fileSystemId", To: lustreToken, By: byID, Code: "FileSystemNotFound", Holds: true}},
		Plan: []engine.Rule{
			shape("dataRepositoryPath", "is s3:// and a bucket, and a prefix if there is one", source, regexp.MustCompile(`^s3://[a-z0-9.-]{3,63}(/.*)?$`)),
			shape("fileSystemPath", "begins with a slash", source, regexp.MustCompile(`^/`)),
			oneOf("s3.autoImportPolicy.events[*]", source, events...),
			oneOf("s3.autoExportPolicy.events[*]", source, events...),
			between("importedFileChunkSize", source, 1, 512000),
		},
		Apply: []engine.Rule{linkedType, linkedBucket, linksApart, linksFew, linksWithoutBackups},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("dra-")
			out := engine.Outputs{"associationId": id, "arn": arn(c, "fsx", "association/"+c.In.Str("fileSystemId")+"/"+id)}
			setDefault(c, out, "importedFileChunkSize", 1024)
			return id, out, err
		},
	}
}

var linkedType = engine.Rule{
	Name: "linked-type", Says: "the file system is no SCRATCH_1, and has Lustre 2.12 or later", Source: "FSx API, CreateDataRepositoryAssociation",
	Judge: func(c *engine.Call) error {
		fs, _ := c.Resolve("fileSystemId")
		if fs.Out.Str("deploymentType") == "SCRATCH_1" || fs.Out.Str("fileSystemTypeVersion") == "2.10" {
			return engine.Refuse("UnsupportedOperation", "Data repository associations are not supported on %s: it is %s with Lustre %s", fs.ID, fs.Out.Str("deploymentType"), fs.Out.Str("fileSystemTypeVersion"))
		}
		return nil
	},
}

// bucketOf is the bucket of a path of S3.
func bucketOf(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "s3://"), "/")
	return name
}

var linkedBucket = engine.Rule{
	Name: "linked-bucket", Says: "the bucket exists, is no directory bucket, and its key lets the roles that FSx makes use it", Source: "FSx for Lustre User Guide, \"Linking your file system to an Amazon S3 bucket\" and \"Working with server-side encrypted Amazon S3 buckets\"",
	Judge: func(c *engine.Call) error {
		name := bucketOf(c.In.Str("dataRepositoryPath"))
		if strings.HasSuffix(name, "--x-s3") {
			return engine.Refuse("BadRequest", "%s is a directory bucket, which cannot be linked", name)
		}
		if _, ok := c.Get(bucketToken, name); !ok {
			return engine.Refuse("BadRequest", "The S3 bucket %s does not exist in this account and region", name)
		}
		encryption, ok := c.Get(encryptionToken, name)
		if !ok {
			return nil
		}
		for _, id := range encryption.In.Strs("rules[*].applyServerSideEncryptionByDefault.kmsMasterKeyId") {
			if k, found := c.Find(keyToken, "arn", id); found && !servesLinks(k) {
				return engine.Refuse("BadRequest", "FSx cannot use the key %s of the bucket %s: allow kms:Decrypt and kms:GenerateDataKey to the roles AWSServiceRoleForFSxS3Access_* in its policy", k.ID, name)
			}
		}
		return nil
	},
}

// servesLinks says whether a key's policy lets the roles that FSx makes for linked file systems use it.
func servesLinks(key engine.Item) bool {
	doc, err := parseDocument(key.Out.Str("policy"), resourcePolicy)
	if err != nil {
		return false
	}
	return strings.Contains(key.Out.Str("policy"), "AWSServiceRoleForFSxS3Access_") && doc.allows("AWS", "*", "kms:GenerateDataKey")
}

// within says whether one path of a file system or a bucket is the other or lies below it.
func within(path, other string) bool {
	path, other = strings.TrimSuffix(path, "/")+"/", strings.TrimSuffix(other, "/")+"/"
	return strings.HasPrefix(path, other)
}

var linksApart = engine.Rule{
	Name: "links-apart", Says: "of two links of a file system neither path lies within the other, and a bucket or prefix is linked once", Source: "FSx API, CreateDataRepositoryAssociation",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(associationOfBucket) {
			if other.In.Str("fileSystemId") != c.In.Str("fileSystemId") {
				continue
			}
			for _, path := range []string{"fileSystemPath", "dataRepositoryPath"} {
				mine, theirs := c.In.Str(path), other.In.Str(path)
				if within(mine, theirs) || within(theirs, mine) {
					return engine.Refuse("BadRequest", "%s %s overlaps %s of the association %s", path, mine, theirs, other.ID)
				}
			}
		}
		return nil
	},
}

var linksFew = engine.Rule{
	Name: "links-few", Says: "a file system has at most 8 links", Source: "FSx API, CreateDataRepositoryAssociation",
	Judge: func(c *engine.Call) error {
		n := 0
		for _, other := range c.Others(associationOfBucket) {
			if other.In.Str("fileSystemId") == c.In.Str("fileSystemId") {
				n++
			}
		}
		if n >= mostLinks {
			return engine.Refuse("ServiceLimitExceeded", "the file system %s has %d data repository associations, and %d are allowed", c.In.Str("fileSystemId"), n, mostLinks)
		}
		return nil
	},
}

var linksWithoutBackups = engine.Rule{
	Name: "links-without-backups", Says: "a file system with a link makes no daily backups: set their retention to 0", Source: "FSx for Lustre User Guide, \"Using data repositories with Amazon FSx for Lustre\"",
	Judge: func(c *engine.Call) error {
		fs, _ := c.Resolve("fileSystemId")
		if days, _ := fs.Out.Int("automaticBackupRetentionDays"); days > 0 {
			return engine.Refuse("BadRequest", "File system backups aren't supported on file systems that are linked to an Amazon S3 data repository: set automaticBackupRetentionDays of %s to 0", fs.ID)
		}
		return nil
	},
}
