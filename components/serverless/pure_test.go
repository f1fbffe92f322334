package serverless

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestVisibility(t *testing.T) {
	t.Parallel()
	for timeout, want := range map[int]int{1: 6, 60: 360, 900: 5400, 10000: longestVisibility} {
		if got := visibility(timeout); got != want {
			t.Errorf("a timeout of %d s hides for %d s, want %d", timeout, got, want)
		}
	}
}

func TestRightsAreWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	least := rights{partition: "aws", logGroup: "LOGS", failedQueue: "FAILED"}
	if p := least.policy(); strings.Contains(p, `"*"`) || strings.Contains(p, "s3:") || strings.Contains(p, "ec2:") {
		t.Errorf("a plain function may do more than it needs: %s", p)
	}
	all := rights{"aws-cn", "LOGS", "FAILED", "QUEUE", "POINT", "bucket", "dir/model", true, true}.policy()
	for _, want := range []string{
		`"arn:aws-cn:s3:::bucket/dir/model"`, `"sqs:DeleteMessage"`, `"elasticfilesystem:AccessPointArn":"POINT"`, `"ec2:CreateNetworkInterface"`, `"xray:PutTraceSegments"`,
		`"kms:EncryptionContext:aws:s3:arn":"arn:aws-cn:s3:::bucket*"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the policy lacks %s: %s", want, all)
		}
	}
	if strings.Contains(all, "s3:*") || strings.Contains(all, "s3:ListBucket") {
		t.Errorf("more than the object can be read: %s", all)
	}
}

func TestBootstrapReadsWhatFunctionsAreTold(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../examples/serverless/weights.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{EnvWeightsSource, EnvWeightsPath, EnvWeightsSHA256, EnvWeightsSize, EnvWeightsMemoryMap} {
		if !strings.Contains(string(source), `"`+name+`"`) {
			t.Errorf("it does not read %s", name)
		}
	}
}

func TestNamesOfAzure(t *testing.T) {
	t.Parallel()
	long := "environment-with-a-long-name-yolo-and-more"
	a, b := azureName(long, 32), azureName(long+"2", 32)
	if azureName("short", 32) != "short" || len(a) > 32 || a == b {
		t.Errorf("got %s and %s", a, b)
	}
	account := accountName("org", "project", "stack", "burst-yolo")
	if !regexp.MustCompile(`^[a-z0-9]{3,24}$`).MatchString(account) || account == accountName("org", "project", "other", "burst-yolo") {
		t.Errorf("the account's name is %s", account)
	}
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(uuid("x")) {
		t.Errorf("got %s", uuid("x"))
	}
	for mib, want := range map[int]string{2048: "2Gi", 512: "0.5Gi", 225280: "220Gi"} {
		if got := gibibytes(mib); got != want {
			t.Errorf("%d MiB are %s, want %s", mib, got, want)
		}
	}
}
