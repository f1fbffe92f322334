package pack

import (
	"maps"
	"slices"
)

var volumeEncrypted = Policy{
	Name: "volume-encrypted", Level: Mandatory, Area: Storage,
	Summary: "Volumes, file systems, databases and storage classes are encrypted.",
	Why:     "Encryption can only be chosen when the storage is made. Adding it later means copying everything.",
	Fix:     "Set the flag that the finding names. The remediation `encrypt-volumes` does it where the flag is left out.",
	Tokens:  slices.Concat(slices.Sorted(maps.Keys(encryptedBy)), []string{tokenStorageClass}),

	Resource: judgeVolumeEncrypted,
}

// encryptedBy names the flag that encrypts, by type. Each is false where it is left out.
var encryptedBy = map[string]string{
	tokenVolume:          "encrypted",
	tokenEFS:             "encrypted",
	tokenDatabase:        "storageEncrypted",
	tokenDatabaseCluster: "storageEncrypted",
}

func judgeVolumeEncrypted(r *Resource, _ Config) []Finding {
	if r.Type == tokenStorageClass {
		provisioner, _ := r.Get("provisioner").Text()
		flag := r.Get("parameters", "encrypted")
		if on, ok := flag.FlagOr(false); provisioner == "ebs.csi.aws.com" && ok && !on {
			return one("parameters.encrypted is %s: set it to \"true\".", flag.Quote())
		}
		return nil
	}
	name := encryptedBy[r.Type]
	if on, ok := r.Get(name).FlagOr(false); ok && !on {
		return one("%s is %s: set it to true.", name, r.Get(name).Quote())
	}
	return nil
}
