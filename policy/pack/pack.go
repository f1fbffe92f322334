package pack

// Policies returns every policy of the pack, in the order of its pages. A new policy is one file and one line here.
func Policies() []*Policy {
	return []*Policy{
		// fabric
		&efaSelfRules,
		&efaPoolReach,
		&efaGroupClusterTag,
		&efaInterfaceGroups,
		&efaOnePerCard,
		&efaPrimaryInterface,
		&efaPublicIP,
		&interfaceIndexLimits,
		&efaSupportedType,
		&efaCount,
		&efaOneSubnet,
		&efaPlacementGroup,
		&spotHibernationPlacement,
		&capacityBlockTarget,
		&fabricIntent,

		// nodes
		&imdsv2Required,
		&requireIMDSv2,
		&rootVolumeEncrypted,
		&gpuImagePinned,
		&gpuStandardImage,
		&imageArchitecture,
		&acceleratorTaints,
		&capacityBlockSize,
		&currentGeneration,
		&allowedInstanceFamilies,
		&publicSSH,
		&publicIngress,
		&nodeGroupRemoteAccess,
		&deletionProtection,
		&trainingNodeTuning,
		&sshHostKeyChecking,
		&nodeGroupTemplate,
		&interfaceSecurityGroups,

		// spending
		&poolHourlyPrice,
		&stackHourlyPrice,
		&allowedRegions,
		&mandatoryTags,
		&addMandatoryTags,
	}
}
