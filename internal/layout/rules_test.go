package layout

import "regexp"

// ours is the path of the module: imports below it are written without it in the rows.
const ours = "github.com/gpuyard/gpuyard"

// row says what the packages of a folder may import. A row counts for every package below its folder that no longer
// row matches, and a * stands for one path element. A package may always import the standard library and what is
// below its own folder; an entry allows what it names and all below it.
type row struct {
	folder string
	may    []string
	// tests lists what only the tests of these packages may import besides.
	tests []string
	why   string
}

// Paths that several rows name.
const (
	pulumiSDK = "github.com/pulumi/pulumi/sdk/v3"
	awsSDK    = "github.com/pulumi/pulumi-aws/sdk/v6"
	kubeSDK   = "github.com/pulumi/pulumi-kubernetes/sdk/v4"
	azureSDK  = "github.com/pulumi/pulumi-azure-native-sdk"
	goSDK     = "github.com/aws/aws-sdk-go-v2"
	hcl       = "github.com/hashicorp/hcl/v2"
	cty       = "github.com/zclconf/go-cty"
	protobuf  = "google.golang.org/protobuf"
	grpc      = "google.golang.org/grpc"
	anything  = "*"
)

// table is who may import whom. Data flows one way: blueprint text, model, component arguments, resources. A later
// stage never reaches back.
var table = []row{
	{folder: "catalog", may: nil,
		why: "what the hardware is must be usable by anybody, and is worth nothing if it depends on how we use it"},
	{folder: "internal/cidr", may: nil,
		why: "blueprint and network both divide a VPC and must agree, so the rule is neutral ground"},
	{folder: "internal/awsendpoint", may: nil,
		why: "blueprint and network both speak of endpoints in a VPC and must agree, so the list is neutral ground"},
	{folder: "internal/sysctl", may: nil,
		why: "node preparation and Bottlerocket's settings name parameters alike, so the rule is neutral ground"},
	{folder: "internal/lustre", may: nil,
		why: "blueprint and storage both judge the size of a file system and must agree, so the sizes are neutral ground"},
	{folder: "internal/headroom", may: nil,
		why: "blueprint judges a cache by the heaps that storage gives it and must agree, so the arithmetic is neutral ground"},
	{folder: "internal/timetable", may: nil,
		why: "blueprint, gpu-nodes and the embedded cloud judge when a pool changes its size and must agree, so cron and zones are neutral ground"},
	{folder: "blueprint", may: []string{"catalog", "internal/awsendpoint", "internal/cidr", "internal/headroom", "internal/lustre", "internal/timetable", hcl, cty},
		why: "a blueprint is judged without a cloud, an engine or a program that makes resources"},
	{folder: "components", may: []string{"catalog", "internal/awsendpoint", "internal/cidr", "internal/headroom", "internal/lustre", "internal/sysctl", "internal/timetable", "components/internal", pulumiSDK, awsSDK, kubeSDK},
		tests: []string{"internal/pulumitest", "gopkg.in/yaml.v3"},
		why:   "a component is taken alone into somebody else's program: it knows neither blueprints nor another component"},
	{folder: "components/internal", may: []string{"catalog", pulumiSDK, awsSDK, kubeSDK},
		tests: []string{"internal/pulumitest"},
		why:   "what components share must not need any of them"},
	{folder: "nodeprep", may: []string{"catalog", "internal/sysctl"},
		why: "a host is prepared the same over SSH, by user data and by a DaemonSet: no transport, no engine"},
	{folder: "nodeprep/fleet", may: []string{"catalog", "nodeprep"},
		tests: []string{"golang.org/x/crypto/ssh"},
		why:   "many hosts are gone through by whatever reaches one; its benchmark is held against bare SSH"},
	{folder: "nodeprep/remote", may: []string{"catalog", "nodeprep", "golang.org/x/crypto/ssh", "github.com/skeema/knownhosts", "github.com/kevinburke/ssh_config"},
		why: "the one place that speaks SSH"},
	{folder: "nodeprep/remotetest", may: []string{"catalog", "nodeprep", "golang.org/x/crypto/ssh"},
		why: "the fake at the other end of a connection speaks SSH too"},
	{folder: "nodeprep/opensshtest", may: []string{"catalog", "nodeprep", "golang.org/x/crypto/ssh"},
		why: "it makes keys and certificates for real servers"},
	{folder: "nodeprep/vmtest", may: []string{"catalog", "nodeprep", "golang.org/x/crypto/ssh"},
		why: "it makes keys for a machine's server"},
	{folder: "stacks", may: []string{"blueprint", "catalog", "components", "nodeprep", "internal/cidr", "internal/headroom", "internal/lustre", hcl, "github.com/google/go-containerregistry", pulumiSDK, awsSDK, kubeSDK},
		tests: []string{"internal/pulumitest"},
		why:   "it alone knows blueprint and components; who starts it, judges it or simulates its cloud is not its business"},
	{folder: "policy/pack", may: []string{"catalog", pulumiSDK, "github.com/blang/semver"},
		tests: []string{"gopkg.in/yaml.v3"},
		why:   "a pack judges what the engine shows it, in a small binary"},
	{folder: "sim", may: []string{"catalog", "internal/timetable", pulumiSDK, awsSDK, kubeSDK, azureSDK, protobuf, grpc, "go.etcd.io/bbolt", "gopkg.in/yaml.v3"},
		why: "a simulated cloud that knew the components would forgive them"},
	{folder: "internal/engine", may: []string{pulumiSDK, "github.com/blang/semver"},
		why: "it drives the engine for a program that it is given; it knows none"},
	{folder: "internal/ekscluster", may: []string{"github.com/aws/aws-sdk-go-v2"},
		why: "it reads what somebody else made, for whoever adds to it"},
	{folder: "internal/rack", may: []string{"nodeprep", "provider", "golang.org/x/crypto/ssh"},
		why: "simulated hosts stand where the provider reaches for real ones"},
	{folder: "internal/awscatalog", may: []string{"catalog", goSDK},
		why: "AWS is asked for its catalogue by the command line alone: the program makes resources from what was written down"},
	{folder: "internal/picture", may: []string{"stacks", "blueprint", "catalog", "internal/cidr"},
		tests: []string{"internal/pulumitest"},
		why:   "a picture is drawn from a plan, before anything exists"},
	{folder: "internal/reference", may: []string{"blueprint"},
		tests: []string{"internal/pulumitest", "github.com/santhosh-tekuri/jsonschema"},
		why:   "the language is written down from its schema, and from nothing else"},
	{folder: "internal/pulumitest", may: []string{pulumiSDK, protobuf},
		why: "a recorder for the tests of every component must need none of them"},
	{folder: "internal/layout", may: nil,
		why: "rules are read from the source, so that they hold for code that does not compile yet"},
	{folder: "cmd", may: []string{anything}, why: "the command line puts everything together"},
	{folder: "policy", may: []string{"policy/pack", pulumiSDK},
		tests: []string{"policy/internal/fixture", "stacks", "sim", "internal/engine", pulumiSDK, awsSDK, kubeSDK, protobuf, grpc},
		why:   "policy/main.go only serves the pack; its tests hold it against whole environments"},
	{folder: "policy/analyzer", may: []string{pulumiSDK, protobuf, grpc},
		tests: []string{"github.com/blang/semver"},
		why:   "it speaks the engine's protocol for any pack, and knows no policy"},
	{folder: "policy/internal/fixture", may: []string{pulumiSDK, "gopkg.in/yaml.v3"},
		why: "cases of every policy are data, and YAML is what people write"},
	{folder: "policy/check", may: []string{"policy/pack", "catalog", pulumiSDK},
		why: "a plan is judged from its JSON, without an engine"},
	{folder: "bench", may: []string{anything}, why: "it measures anything against anything"},
	{folder: "examples", may: []string{"catalog", "components", pulumiSDK, awsSDK, kubeSDK},
		tests: []string{"sim", "policy/check", "internal/engine", "internal/rack", "provider", "gopkg.in/yaml.v3"},
		why:   "a component is shown in somebody else's program; whole environments are in stacks and templates"},
	{folder: "templates", may: []string{"catalog", pulumiSDK, "github.com/rogpeppe/go-internal/txtar", "gopkg.in/yaml.v3"},
		tests: []string{"blueprint"},
		why:   "a template is files; what becomes of them is for whoever runs the project"},
	{folder: "provider", may: []string{anything}, why: "it offers every component to every language"},
	{folder: ".", may: []string{"stacks", pulumiSDK}, why: "the root program calls stacks, which does everything else"},
}

// forbidden are imports that nobody may have, and what to do instead.
var forbidden = map[string]string{
	kubeSDK + "/go/kubernetes/helm/v3": "it compiles all 68 Kubernetes packages, minutes and gigabytes for every user: " +
		"register kubernetes:helm.sh/v3:Release by its token with arguments of our own",
	kubeSDK + "/go/kubernetes/yaml": "it compiles all 68 Kubernetes packages, minutes and gigabytes for every user: " +
		"register the objects that are needed",
	"github.com/pulumi/pulumi-eks": "it makes node groups, roles and add-ons by rules of its own, in a plugin of its own: " +
		"components/cluster and components/gpu-nodes make them from the EKS resources",
}

// sdks are the packages of provider SDKs that may be imported at all. Each costs everybody who builds gpuyard its
// compile time, aws/ec2 alone about a minute, so a new one is a decision: add it here with what needs it.
var sdks = map[string]string{
	awsSDK + "/go/aws":                "provider settings",
	awsSDK + "/go/aws/appautoscaling": "how the warm copies of a function follow the load; 2 s of compilation",
	awsSDK + "/go/aws/ec2":            "VPC, launch templates, placement groups",
	awsSDK + "/go/aws/ecr":            "the repositories of functions' images; 3 s of compilation",
	awsSDK + "/go/aws/efs":            "file systems of functions; 3 s of compilation",
	awsSDK + "/go/aws/eks":            "cluster, node groups, add-ons, access",
	awsSDK + "/go/aws/iam":            "roles of cluster and nodes",
	awsSDK + "/go/aws/kms":            "the key that encrypts Kubernetes secrets",
	awsSDK + "/go/aws/lambda":         "functions; 5 s of compilation",
	awsSDK + "/go/aws/resourcegroups": "several reservations as one; 2 s of compilation",
	awsSDK + "/go/aws/s3":             "buckets of data sets and checkpoints; 15 s of compilation",
	awsSDK + "/go/aws/sns":            "who hears of a function's alarms; 2 s of compilation",
	awsSDK + "/go/aws/sqs":            "the queues of functions; 2 s of compilation",
	awsSDK + "/go/aws/vpc":            "security group rules, one resource each",
	kubeSDK + "/go/kubernetes":        "the provider of a cluster",
}

// checked are packages of provider SDKs that only the embedded cloud and tests import, for their types: what is
// registered by its token is checked against them. The root program has none of them to compile.
var checked = map[string]string{
	awsSDK + "/go/aws/autoscaling": "components/internal/lightaws; 12 s of compilation",
	awsSDK + "/go/aws/cloudwatch":  "components/internal/lightaws; 15 s of compilation",
	awsSDK + "/go/aws/fsx":         "components/internal/lightaws; 11 s of compilation",
	awsSDK + "/go/aws/s3":          "components/internal/lightaws; 32 s of compilation",
	awsSDK + "/go/aws/ssm":         "components/internal/lightaws; 10 s of compilation",
	azureSDK + "/v2":               "the settings of the Azure provider",
	azureSDK + "/app/v2/v20250101": "the types of Container Apps; 31 s of compilation",
}

// vagueNames are package names that say nothing: a package is named after what it is about.
var vagueNames = []string{"util", "utils", "common", "manager", "helper", "helpers", "misc", "shared"}

// maxLines is how long a Go file may be, tests included, generated code not.
const maxLines = 400

// word is a text that must not be in any file.
type word struct {
	text *regexp.Regexp
	why  string
}

// words are put together from pieces, so that this file does not contain them.
var words = []word{
	{regexp.MustCompile(`\b(?:` + `proxy|sum)\.golang` + `\.org\b`), "where modules come from is the setting of whoever builds (GOPROXY)"},
	{regexp.MustCompile(`\bregistry\.(?:` + `npmjs|yarnpkg)\.`), "where packages come from is the setting of whoever builds"},
	{regexp.MustCompile(`\b(?:deb|security|ftp)\.debian` + `\.org\b`), "where packages come from is the setting of the host"},
	{regexp.MustCompile(`\b(?:pypi\.org|pythonhosted` + `\.org|crates` + `\.io|rubygems` + `\.org)\b`), "where packages come from is the setting of whoever builds"},
	{regexp.MustCompile(`(?:^|[^\w.~-])/(?:` + `work|root|tmp/w)/`), "a path of somebody's machine works on no other"},
}
