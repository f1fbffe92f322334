package pack

import (
	"strings"
)

var fsxBackups = Policy{
	Name: "fsx-backups", Level: Mandatory, Area: Storage,
	Summary: "Persistent Lustre file systems keep backups, and leave one behind.",
	Why: "The provider skips the final backup unless told otherwise, so that a destroyed stack leaves nothing. Lowering the metadata " +
		"IOPS replaces the file system.",
	Fix:    "Set `skipFinalBackup` to false and `automaticBackupRetentionDays` to at least 1, before anything is removed.",
	Tokens: []string{tokenLustre},

	Resource: func(r *Resource, _ Config) []Finding {
		kind, known := r.Get("deploymentType").TextOr("SCRATCH_1")
		if !known || !strings.HasPrefix(kind, "PERSISTENT") {
			return nil
		}
		var findings []Finding
		if skip, ok := r.Get("skipFinalBackup").FlagOr(true); ok && skip {
			findings = one("skipFinalBackup is %s, and true is its default: set it to false.", r.Get("skipFinalBackup").Quote())
		}
		if days, ok := r.Get("automaticBackupRetentionDays").NumberOr(0); ok && days == 0 {
			findings = append(findings, one("automaticBackupRetentionDays is %s: set it to at least 1.", r.Get("automaticBackupRetentionDays").Quote())...)
		}
		return findings
	},
}
