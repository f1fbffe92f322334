package pack

// The tokens of the resources that policies look at. A misspelt token is a policy that inspects nothing and reports
// success, so a test looks each of them up in the source of its SDK.
const (
	tokenAMI                = "aws:ec2/ami:Ami"
	tokenCapacityBlock      = "aws:ec2/capacityBlockReservation:CapacityBlockReservation"
	tokenDefaultGroup       = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
	tokenInstance           = "aws:ec2/instance:Instance"
	tokenLaunchTemplate     = "aws:ec2/launchTemplate:LaunchTemplate"
	tokenPlacementGroup     = "aws:ec2/placementGroup:PlacementGroup"
	tokenSecurityGroup      = "aws:ec2/securityGroup:SecurityGroup"
	tokenGroupRule          = "aws:ec2/securityGroupRule:SecurityGroupRule"
	tokenSubnet             = "aws:ec2/subnet:Subnet"
	tokenIngressRule        = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
	tokenEgressRule         = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
	tokenAddon              = "aws:eks/addon:Addon"
	tokenCluster            = "aws:eks/cluster:Cluster"
	tokenNodeGroup          = "aws:eks/nodeGroup:NodeGroup"
	tokenBucket             = "aws:s3/bucket:Bucket"
	tokenBucketV2           = "aws:s3/bucketV2:BucketV2"
	tokenBucketACL          = "aws:s3/bucketAclV2:BucketAclV2"
	tokenAccessBlock        = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"
	tokenBucketEncryption   = "aws:s3/bucketServerSideEncryptionConfigurationV2:BucketServerSideEncryptionConfigurationV2"
	tokenBucketVersioning   = "aws:s3/bucketVersioningV2:BucketVersioningV2"
	tokenBucketPolicy       = "aws:s3/bucketPolicy:BucketPolicy"
	tokenLustre             = "aws:fsx/lustreFileSystem:LustreFileSystem"
	tokenDataRepository     = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
	tokenVolume             = "aws:ebs/volume:Volume"
	tokenEFS                = "aws:efs/fileSystem:FileSystem"
	tokenDatabase           = "aws:rds/instance:Instance"
	tokenDatabaseCluster    = "aws:rds/cluster:Cluster"
	tokenTable              = "aws:dynamodb/table:Table"
	tokenKey                = "aws:kms/key:Key"
	tokenRepositoryPolicy   = "aws:ecr/repositoryPolicy:RepositoryPolicy"
	tokenQueuePolicy        = "aws:sqs/queuePolicy:QueuePolicy"
	tokenTopicPolicy        = "aws:sns/topicPolicy:TopicPolicy"
	tokenFunction           = "aws:lambda/function:Function"
	tokenFunctionURL        = "aws:lambda/functionUrl:FunctionUrl"
	tokenFunctionInvoke     = "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig"
	tokenProvisioned        = "aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig"
	tokenEventSource        = "aws:lambda/eventSourceMapping:EventSourceMapping"
	tokenAccessKey          = "aws:iam/accessKey:AccessKey"
	tokenIAMPolicy          = "aws:iam/policy:Policy"
	tokenIAMRole            = "aws:iam/role:Role"
	tokenRolePolicy         = "aws:iam/rolePolicy:RolePolicy"
	tokenUserPolicy         = "aws:iam/userPolicy:UserPolicy"
	tokenGroupPolicy        = "aws:iam/groupPolicy:GroupPolicy"
	tokenAWSProvider        = "pulumi:providers:aws"
	tokenRelease            = "kubernetes:helm.sh/v3:Release"
	tokenChart              = "kubernetes:helm.sh/v4:Chart"
	tokenDaemonSet          = "kubernetes:apps/v1:DaemonSet"
	tokenConfigMap          = "kubernetes:core/v1:ConfigMap"
	tokenClaim              = "kubernetes:core/v1:PersistentVolumeClaim"
	tokenStorageClass       = "kubernetes:storage.k8s.io/v1:StorageClass"
	tokenContainerApp       = "azure-native:app:ContainerApp"
	tokenContainerJob       = "azure-native:app:Job"
	tokenManagedEnvironment = "azure-native:app:ManagedEnvironment"
)

// The tokens of custom resources: a CRD's API version and kind, as the Kubernetes SDK puts them together.
const (
	tokenCephCluster      = "kubernetes:ceph.rook.io/v1:CephCluster"
	tokenCephPool         = "kubernetes:ceph.rook.io/v1:CephBlockPool"
	tokenCephFilesystem   = "kubernetes:ceph.rook.io/v1:CephFilesystem"
	tokenCephStore        = "kubernetes:ceph.rook.io/v1:CephObjectStore"
	tokenSnapshotClass    = "kubernetes:snapshot.storage.k8s.io/v1:VolumeSnapshotClass"
	tokenSnapshotSchedule = "kubernetes:snapscheduler.backube/v1:SnapshotSchedule"
)

// The tokens of our own components, whose inputs say what was meant.
const (
	tokenPool = "gpuyard:gpunodes:Pool"
)
