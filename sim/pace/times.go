package pace

import "time"

// Time is how long the operations on a resource of one type take.
type Time struct {
	Create, Update, Delete time.Duration

	Source  string // of the creation, which is what plans wait for; or what the assumption is
	Assumed bool   // nothing public states it: the figure is our own estimate
}

// Sources that several figures have. Each is a public log of a tool that waits as the AWS provider does.
const (
	vpcLogs     = "DevopsArtFactory/terraform-provisioning pull requests 4, 5 and 7, logs of applies"
	clusterLogs = "DevopsArtFactory/terraform-provisioning pull requests 45, 46 and 47, logs of applies"
	oneCall     = "one API call that nothing is waited for after"
)

// call is the time of something that is done when its one API call is.
func call() Time {
	return Time{time.Second, time.Second, time.Second, oneCall, true}
}

// Times returns the figures of every resource type that the embedded cloud has, by token.
func Times() map[string]Time {
	minutes := func(m float64) time.Duration { return time.Duration(m * float64(time.Minute)) }
	const s = time.Second
	return map[string]Time{
		"aws:autoscaling/schedule:Schedule":                                    call(),
		"aws:cloudwatch/logGroup:LogGroup":                                     call(),
		"aws:ec2/defaultSecurityGroup:DefaultSecurityGroup":                    {2 * s, 2 * s, 0, "several API calls that empty it; deletion does nothing", true},
		"aws:ec2/eip:Eip":                                                      {1 * s, 1 * s, 1 * s, vpcLogs + ": 0 to 1 s", false},
		"aws:ec2/flowLog:FlowLog":                                              call(),
		"aws:ec2/internetGateway:InternetGateway":                              {1 * s, 1 * s, 10 * s, vpcLogs + ": 1 s", false},
		"aws:ec2/launchTemplate:LaunchTemplate":                                {2 * s, 2 * s, 1 * s, "two API calls: the template, and reading it back", true},
		"aws:ec2/natGateway:NatGateway":                                        {minutes(2), 1 * s, minutes(1), "between one and two minutes until it is available", true},
		"aws:ec2/placementGroup:PlacementGroup":                                {5 * s, 1 * s, 10 * s, "waited for until it is available", true},
		"aws:ec2/route:Route":                                                  call(),
		"aws:ec2/routeTable:RouteTable":                                        {1 * s, 1 * s, 1 * s, vpcLogs + ": 1 s", false},
		"aws:ec2/routeTableAssociation:RouteTableAssociation":                  call(),
		"aws:ec2/securityGroup:SecurityGroup":                                  {2 * s, 2 * s, 2 * s, clusterLogs + ": 2 s", false},
		"aws:ec2/subnet:Subnet":                                                {7 * s, 1 * s, 2 * s, "turbot/steampipe-plugin-aws pull request 131, log of an apply: 7 s", false},
		"aws:ec2/vpc:Vpc":                                                      {22 * s, 10 * s, 1 * s, vpcLogs + ": 21 to 22 s with DNS hostnames, which are set and waited for one after the other", false},
		"aws:ec2/vpcEndpoint:VpcEndpoint":                                      {minutes(1.5), 30 * s, minutes(1), "one to two minutes until an interface endpoint is available; one of a gateway takes seconds", true},
		"aws:eks/accessEntry:AccessEntry":                                      {1 * s, 1 * s, 1 * s, clusterLogs + ": 1 s", false},
		"aws:eks/accessPolicyAssociation:AccessPolicyAssociation":              call(),
		"aws:eks/addon:Addon":                                                  {minutes(1), minutes(1), 30 * s, "about a minute until its pods are ready on nodes that are there; public reports reach from seconds to 15 minutes", true},
		"aws:eks/cluster:Cluster":                                              {minutes(10) + 6*s, minutes(9), minutes(3), "terraform-aws-eks pull request 3218, log of an apply: 10 min 6 s; issue 2203: 9 min 43 s; " + clusterLogs + ": 8 min 33 s", false},
		"aws:eks/nodeGroup:NodeGroup":                                          {minutes(2), minutes(6), minutes(5), clusterLogs + ": 1 min 48 s and 1 min 59 s", false},
		"aws:eks/podIdentityAssociation:PodIdentityAssociation":                call(),
		"aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation":          {minutes(5), minutes(2), minutes(2), "waited for until its metadata is imported, which takes longer the more objects there are", true},
		"aws:fsx/lustreFileSystem:LustreFileSystem":                            {minutes(12), minutes(30), minutes(10), "between five minutes and a quarter of an hour until it is available; growing it takes longer, and the last backup is waited for when it goes", true},
		"aws:iam/openIdConnectProvider:OpenIdConnectProvider":                  {1 * s, 1 * s, 1 * s, clusterLogs + ": 1 s", false},
		"aws:iam/policy:Policy":                                                call(),
		"aws:iam/role:Role":                                                    {2 * s, 1 * s, 2 * s, "pulumi/pulumi-eks issue 1819, log of an update: 1 to 2 s", false},
		"aws:iam/rolePolicy:RolePolicy":                                        call(),
		"aws:iam/rolePolicyAttachment:RolePolicyAttachment":                    {1 * s, 1 * s, 1 * s, clusterLogs + ": 0 to 1 s", false},
		"aws:kms/alias:Alias":                                                  call(),
		"aws:kms/key:Key":                                                      {10 * s, 5 * s, 1 * s, "waited for until its policy is seen everywhere; deletion is only scheduled", true},
		"aws:resourcegroups/group:Group":                                       call(),
		"aws:resourcegroups/resource:Resource":                                 {5 * s, 1 * s, 5 * s, "waited for until the member is seen", true},
		"aws:s3/bucketLifecycleConfigurationV2:BucketLifecycleConfigurationV2": {10 * s, 10 * s, 1 * s, "waited for until the rules are seen everywhere", true},
		"aws:s3/bucketOwnershipControls:BucketOwnershipControls":               call(),
		"aws:s3/bucketPolicy:BucketPolicy":                                     call(),
		"aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock":               call(),
		"aws:s3/bucketServerSideEncryptionConfigurationV2:BucketServerSideEncryptionConfigurationV2": call(),
		"aws:s3/bucketV2:BucketV2":                                             {3 * s, 2 * s, 1 * s, "a call, and many more that read back everything a bucket can have", true},
		"aws:s3/bucketVersioningV2:BucketVersioningV2":                         {2 * s, 2 * s, 1 * s, "a call, and reading it back", true},
		"aws:s3/directoryBucket:DirectoryBucket":                               call(),
		"aws:ssm/activation:Activation":                                        call(),
		"aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule":              call(),
		"aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule":            call(),
		"aws:appautoscaling/policy:Policy":                                     call(),
		"aws:appautoscaling/scheduledAction:ScheduledAction":                   call(),
		"aws:appautoscaling/target:Target":                                     call(),
		"aws:cloudwatch/metricAlarm:MetricAlarm":                               call(),
		"aws:ecr/lifecyclePolicy:LifecyclePolicy":                              call(),
		"aws:ecr/pullThroughCacheRule:PullThroughCacheRule":                    call(),
		"aws:ecr/replicationConfiguration:ReplicationConfiguration":            call(),
		"aws:ecr/repository:Repository":                                        call(),
		"aws:efs/accessPoint:AccessPoint":                                      {5 * s, 1 * s, 5 * s, "waited for until it is available", true},
		"aws:efs/fileSystem:FileSystem":                                        {10 * s, 5 * s, 10 * s, "waited for until it is available", true},
		"aws:efs/mountTarget:MountTarget":                                      {minutes(1.5), 2 * s, minutes(1), "one to two minutes until its network interface is available", true},
		"aws:lambda/alias:Alias":                                               call(),
		"aws:lambda/eventSourceMapping:EventSourceMapping":                     {20 * s, 10 * s, 20 * s, "waited for until it is enabled", true},
		"aws:lambda/function:Function":                                         {30 * s, 30 * s, 2 * s, "waited for until it is active: an image is taken apart and stored once", true},
		"aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig":       call(),
		"aws:lambda/functionUrl:FunctionUrl":                                   call(),
		"aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig": {minutes(2), minutes(2), 1 * s, "waited for until all copies are ready, which have fetched their weights by then", true},
		"aws:sns/topic:Topic":                                                  call(),
		"aws:sns/topicSubscription:TopicSubscription":                          call(),
		"aws:sqs/queue:Queue":                                                  {25 * s, 10 * s, 5 * s, "its attributes are waited for until they are seen everywhere", true},
		"azure-native:app/v20250101:ContainerApp":                              {minutes(1), minutes(1), 30 * s, "waited for until its first revision is provisioned, without a replica of it", true},
		"azure-native:app/v20250101:Job":                                       {30 * s, 30 * s, 20 * s, "waited for until it is provisioned", true},
		"azure-native:app/v20250101:ManagedEnvironment":                        {minutes(5), minutes(3), minutes(5), "waited for until its network and its profiles are there", true},
		"azure-native:app/v20250101:ManagedEnvironmentsStorage":                call(),
		"azure-native:authorization:RoleAssignment":                            {5 * s, 5 * s, 5 * s, "waited for until the principal is found", true},
		"azure-native:insights:DiagnosticSetting":                              {5 * s, 5 * s, 5 * s, "one call that Azure answers slowly", true},
		"azure-native:managedidentity:UserAssignedIdentity":                    {5 * s, 2 * s, 5 * s, "one call that Azure answers slowly", true},
		"azure-native:operationalinsights:Workspace":                           {30 * s, 5 * s, 10 * s, "waited for until it is provisioned", true},
		"azure-native:resources:ResourceGroup":                                 {2 * s, 2 * s, minutes(1), "one call; deletion waits for all that is in it", true},
		"azure-native:storage:Queue":                                           {2 * s, 2 * s, 2 * s, "one call", true},
		"azure-native:storage:StorageAccount":                                  {25 * s, 5 * s, 5 * s, "waited for until it is provisioned", true},
		"kubernetes:apps/v1:DaemonSet":                                         {20 * s, 30 * s, 5 * s, "waited for until its pods are ready, images pulled", true},
		"kubernetes:helm.sh/v3:Release":                                        {30 * s, 30 * s, 10 * s, "waited for until the chart's pods are ready, images pulled", true},
		"kubernetes:scheduling.k8s.io/v1:PriorityClass":                        call(),
		"kubernetes:batch/v1:Job":                                              {minutes(3), minutes(3), 5 * s, "for Ceph: monitors one after the other, then a minute until disks have joined", true},
		"kubernetes:ceph.rook.io/v1:CephBlockPool":                             {20 * s, 10 * s, 20 * s, "waited for until Rook says that it is ready", true},
		"kubernetes:ceph.rook.io/v1:CephFilesystem":                            {minutes(1), 10 * s, 30 * s, "waited for until its metadata servers are active", true},
		"kubernetes:ceph.rook.io/v1:CephFilesystemSubVolumeGroup":              call(),
		"kubernetes:ceph.rook.io/v1:CephObjectStore":                           {minutes(1), 20 * s, 30 * s, "waited for until its gateways are ready", true},
		"kubernetes:core/v1:ConfigMap":                                         call(),
		"kubernetes:core/v1:PersistentVolume":                                  call(),
		"kubernetes:core/v1:PersistentVolumeClaim":                             {5 * s, 1 * s, 5 * s, "waited for until it is bound to a volume that is there", true},
		"kubernetes:data.fluid.io/v1alpha1:AlluxioRuntime":                     {minutes(1.5), 10 * s, 30 * s, "waited for until its master is ready, image pulled", true},
		"kubernetes:data.fluid.io/v1alpha1:DataLoad":                           call(),
		"kubernetes:data.fluid.io/v1alpha1:Dataset":                            call(),
		"kubernetes:snapscheduler.backube/v1:SnapshotSchedule":                 call(),
		"kubernetes:snapshot.storage.k8s.io/v1:VolumeSnapshotClass":            call(),
		"kubernetes:storage.k8s.io/v1:StorageClass":                            call(),
	}
}

// of returns the time of a change of a resource of a type. What is not in the table takes none: components, providers
// and whatever nobody has figures of.
func of(times map[string]Time, token string, c Change) time.Duration {
	t := times[token]
	switch c {
	case Update:
		return t.Update
	case Replace:
		return t.Delete + t.Create
	case Delete:
		return t.Delete
	case Keep:
		return 0
	default:
		return t.Create
	}
}
