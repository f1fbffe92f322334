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
		&nodePublicIngress,
		&nodeGroupRemoteAccess,
		&nodeRepairMonitoring,
		&deletionProtection,
		&trainingNodeTuning,
		&sshHostKeyChecking,
		&nodeGroupTemplate,
		&nodeGroupDisk,
		&interfaceSecurityGroups,

		// cluster
		&clusterEndpointPublic,
		&clusterSecretsEncrypted,
		&clusterLogs,
		&clusterAccessEntries,
		&kubernetesVersionSupported,
		&addonVersionPinned,
		&chartVersionPinned,
		&devicePluginAndDRA,
		&pluginForAccelerator,
		&efaPluginTypes,
		&pluginTolerations,

		// storage
		&bucketPublic,
		&bucketAccessBlock,
		&bucketEncrypted,
		&bucketTLSOnly,
		&bucketVersioned,
		&volumeEncrypted,
		&encryptVolumes,
		&cephReplicas,
		&cephNodePool,
		&cephDiskOwner,
		&localDiskDriverAlone,
		&fsxZone,
		&fsxEFA,
		&fsxBackups,
		&snapshotsScheduled,
		&snapshotClassController,
		&defaultStorageClass,
		&lifecycleEndpoint,

		// serverless
		&lambdaImageDigest,
		&lambdaLimits,
		&lambdaConcurrency,
		&lambdaProvisionedAlias,
		&lambdaDeadLetters,
		&lambdaURLAuth,
		&containerAppIngress,
		&containerAppSecrets,
		&containerJobTimeout,
		&containerAppGPUProfile,

		// identity
		&iamAdminStatement,
		&iamWildcardPrincipal,
		&iamAccessKey,
		&plainSecrets,

		// spending
		&poolHourlyPrice,
		&stackHourlyPrice,
		&allowedRegions,
		&mandatoryTags,
		&addMandatoryTags,
	}
}
