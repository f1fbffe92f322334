package pack

import (
	"strings"
)

var fsxBackups = Policy{
	Name: "fsx-backups", Level: Mandatory, Area: Storage,
	Summary: "Persistent Lustre file systems keep backups, and leave one behind.",
	Why: "The provider skips the final backup unless told otherwise, so that a destroyed stack leaves nothing. Lowering the metadata " +
		"IOPS replaces the file system. FSx makes no daily backups of a file system that is linked to a bucket, where exported files are " +
		"the copy.",
	Fix: "Set `skipFinalBackup` to false and `automaticBackupRetentionDays` to at least 1, before anything is removed. Of a file " +
		"system with a `DataRepositoryAssociation`, set the latter to 0.",
	Stack: judgeFSxBackups,
}

// judgeFSxBackups looks at persistent file systems. Whether one is linked is told by associations; where one of these may
// be of any file system, none is asked for daily backups.
func judgeFSxBackups(s *Stack, _ Config) []Finding {
	linked, all := map[*Resource]bool{}, false
	for _, r := range s.Of(tokenDataRepository) {
		fs := s.Meant(r, "fileSystemId", r.Get("fileSystemId"), tokenLustre)
		linked[fs], all = true, all || fs == nil
	}
	var findings []Finding
	for _, fs := range s.Of(tokenLustre) {
		kind, known := fs.Get("deploymentType").TextOr("SCRATCH_1")
		if !known || !strings.HasPrefix(kind, "PERSISTENT") {
			continue
		}
		if skip, ok := fs.Get("skipFinalBackup").FlagOr(true); ok && skip {
			findings = append(findings, at(fs, "skipFinalBackup is %s, and true is its default: set it to false.", fs.Get("skipFinalBackup").Quote()))
		}
		days, ok := fs.Get("automaticBackupRetentionDays").NumberOr(0)
		switch {
		case !ok:
		case days == 0 && !linked[fs] && !all:
			findings = append(findings, at(fs, "automaticBackupRetentionDays is %s: set it to at least 1.", fs.Get("automaticBackupRetentionDays").Quote()))
		case days > 0 && linked[fs]:
			findings = append(findings, at(fs, "automaticBackupRetentionDays is %s, and FSx backs up no file system that is linked to a bucket: set it to 0.",
				fs.Get("automaticBackupRetentionDays").Quote()))
		}
	}
	return findings
}
