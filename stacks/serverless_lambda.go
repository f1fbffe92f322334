package stacks

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/serverless"
)

// deployLambdas makes the registry's repositories and the functions.
func deployLambdas(d *serving, blocks []*blueprint.Serverless) error {
	repositories, err := deployRepositories(d, blocks)
	if err != nil {
		return err
	}
	for _, s := range blocks {
		repository := repositories[repositoryOf(d.plan, s)]
		out := pulumi.Map{"kind": pulumi.String("lambda"), "repository": repository.URL}
		d.outputs[s.Name.Value] = out
		image := d.images[s]
		if image.Digest == "" {
			if err := d.ctx.Log.Warn(pushAdvice(d.plan, s), nil); err != nil {
				return err
			}
			continue
		}
		args, err := functionArgs(d, s)
		if err != nil {
			return err
		}
		args.ImageURI = pulumi.Sprintf("%s@%s", repository.URL, image.Digest)
		f, err := serverless.NewFunction(d.ctx, d.name(s.Name.Value), args, d.on(d.aws)...)
		if err != nil {
			return err
		}
		out["function"], out["alias"], out["version"], out["failed"] = f.Name, f.AliasARN, f.Version, f.FailedQueueURL
		if s.Lambda.Queue != nil {
			out["queue"] = f.QueueURL
		}
		if s.Lambda.URL != nil {
			out["url"] = f.URL
		}
	}
	return nil
}

// deployRepositories makes each repository once, however many functions use it, and what is set for the registry as a
// whole.
func deployRepositories(d *serving, blocks []*blueprint.Serverless) (map[string]*serverless.Repository, error) {
	env := d.plan.Blueprint.Environment
	all, registry := map[string]*serverless.Repository{}, &serverless.RegistryArgs{Prefix: env.Name.Value + "/"}
	for _, s := range blocks {
		if r := s.Lambda.Registry; r != nil {
			registry.ReplicateTo = append(registry.ReplicateTo, values(r.ReplicateTo)...)
			for _, p := range r.PullThrough {
				rule := serverless.PullThrough{Prefix: p.Prefix.Value, Upstream: p.Upstream.Value, CredentialARN: p.Credential.Value}
				if !slices.Contains(registry.PullThrough, rule) {
					registry.PullThrough = append(registry.PullThrough, rule)
				}
			}
		}
		full := repositoryOf(d.plan, s)
		if all[full] != nil {
			continue
		}
		made, err := serverless.NewRepository(d.ctx, strings.ReplaceAll(full, "/", "-")+"-images", &serverless.RepositoryArgs{
			RepositoryName: full, Keep: keptImages(blocks, s.Lambda.Image.Repository.Value),
			// What is protected is not destroyed; what is not goes with its images, which a build makes again.
			ForceDelete: !env.Protect.Value,
			Tags:        d.tags,
		}, d.on(d.aws)...)
		if err != nil {
			return nil, err
		}
		all[full] = made
	}
	registry.ReplicateTo = unique(registry.ReplicateTo)
	if len(registry.ReplicateTo)+len(registry.PullThrough) == 0 {
		return all, nil
	}
	_, err := serverless.NewRegistry(d.ctx, d.name("registry"), registry, d.on(d.aws)...)
	return all, err
}

// keptImages is how many images a repository keeps: the most that one of its functions wants.
func keptImages(blocks []*blueprint.Serverless, repository string) int {
	const byDefault = 10
	most := 0
	for _, s := range blocks {
		if s.Lambda.Image.Repository.Value == repository && s.Lambda.Registry != nil {
			most = max(most, s.Lambda.Registry.Keep.Value)
		}
	}
	if most == 0 {
		return byDefault
	}
	return most
}

// functionArgs maps a block to the arguments of its component.
func functionArgs(d *serving, s *blueprint.Serverless) (*serverless.FunctionArgs, error) {
	f := s.Lambda
	args := &serverless.FunctionArgs{
		Architecture: f.Architecture.Value, Memory: f.Memory.Value, EphemeralStorage: f.EphemeralStorage.Value,
		Timeout: int(f.Timeout.Value.Seconds()), ProvisionedConcurrency: f.ProvisionedConcurrency.Value,
		LogRetentionDays: f.LogRetentionDays.Value, Tracing: f.Tracing.Value, Environment: f.Environment, Tags: d.tags,
	}
	if f.ReservedConcurrency.IsSet() {
		args.ReservedConcurrency = &f.ReservedConcurrency.Value
	}
	if sc := f.Scaling; sc != nil {
		args.Scaling = &serverless.Scaling{Max: sc.Max.Value, Target: sc.Target.Value}
		for _, at := range sc.Schedules {
			args.Scaling.Schedules = append(args.Scaling.Schedules, serverless.Schedule{
				Name: at.Name.Value, Cron: at.Cron.Value, Timezone: at.Timezone.Value, Min: at.Min.Value, Max: at.Max.Value,
			})
		}
	}
	if w := f.Weights; w != nil {
		args.Weights = &serverless.Weights{Source: w.Source.Value, Path: w.Path.Value, SHA256: w.SHA256.Value, Size: w.Size.Value, MemoryMap: w.MemoryMap.Value}
	}
	if q := f.Queue; q != nil {
		args.Queue = &serverless.Queue{
			MaxReceive: q.MaxReceive.Value, MaxConcurrency: q.MaxConcurrency.Value, BatchSize: q.BatchSize.Value, Visibility: int(q.Visibility.Value.Seconds()),
		}
	}
	if a := f.Async; a != nil {
		args.Async = &serverless.Async{Retries: a.Retries.Value, MaxAge: int(a.MaxAge.Value.Seconds())}
	}
	if u := f.URL; u != nil {
		args.URL = &serverless.URL{Public: u.Auth.Value == "none", Stream: u.Stream.Value}
	}
	if a := f.Alarms; a != nil {
		args.AlarmEmail = a.Email.Value
		if a.Topic.Value != "" {
			args.AlarmTopicARN = pulumi.String(a.Topic.Value)
		}
	}
	return args, attach(d, s, args)
}

// attach puts a function into its VPC, and mounts its file system.
func attach(d *serving, s *blueprint.Serverless, args *serverless.FunctionArgs) error {
	v := s.Lambda.VPC
	if v == nil {
		return nil
	}
	var vpcID pulumi.StringInput = pulumi.String(v.ID.Value)
	subnets := make([]pulumi.StringInput, 0, len(v.Subnets))
	for _, id := range v.Subnets {
		subnets = append(subnets, pulumi.String(id.Value))
	}
	if len(subnets) == 0 {
		vpcID = d.vpc.VpcID
		for _, zone := range d.plan.Blueprint.Network.Zones {
			subnets = append(subnets, d.vpc.PrivateSubnets.MapIndex(pulumi.String(zone.Value)))
		}
	}
	attachment := d.attachments[v.ID.Value]
	if attachment == nil {
		name := d.name("functions")
		if v.ID.Value != "" {
			name += "-" + v.ID.Value
		}
		var err error
		attachment, err = serverless.NewAttachment(d.ctx, name, &serverless.AttachmentArgs{VpcID: vpcID, Tags: d.tags}, d.on(d.aws)...)
		if err != nil {
			return err
		}
		d.attachments[v.ID.Value] = attachment
	}
	args.SubnetIDs, args.SecurityGroupID = pulumi.StringArray(subnets), attachment.SecurityGroupID
	e := s.Lambda.EFS
	if e == nil {
		return nil
	}
	args.MountPath, args.AccessPointARN = e.Path.Value, pulumi.String(e.AccessPoint.Value)
	if e.AccessPoint.Value != "" {
		return nil
	}
	files, err := serverless.NewFileSystem(d.ctx, d.name(s.Name.Value)+"-files", &serverless.FileSystemArgs{
		SubnetIDs: subnets, SecurityGroupID: attachment.SecurityGroupID, Tags: d.tags,
	}, d.on(d.aws)...)
	if err != nil {
		return err
	}
	args.AccessPointARN = files.AccessPointARN
	return nil
}
