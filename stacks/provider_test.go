package stacks

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// settings answers like a stack configuration with the given plain values.
func settings(values map[string]string) func(string) (string, bool, bool) {
	return func(name string) (string, bool, bool) {
		v, ok := values[name]
		return v, false, ok
	}
}

func TestAWSSettingsPassThrough(t *testing.T) {
	t.Parallel()
	given := map[string]string{
		"profile":                   "training",
		"assumeRole":                `{"roleArn":"arn:aws:iam::123456789012:role/provisioner"}`,
		"endpoints":                 `[{"ec2":"http://localhost:4566","eks":"http://localhost:4566"}]`,
		"skipCredentialsValidation": "true",
	}
	inputs, err := awsSettings("us-east-2", nil, settings(given))
	if err != nil {
		t.Fatal(err)
	}
	want := pulumi.Map{"region": pulumi.String("us-east-2")}
	for name, v := range given {
		want[name] = pulumi.String(v)
	}
	if !reflect.DeepEqual(inputs, want) {
		t.Errorf("got %v, want %v", inputs, want)
	}
}

func TestAWSSettingsKeepSecrets(t *testing.T) {
	t.Parallel()
	inputs, err := awsSettings("us-east-2", nil, func(name string) (string, bool, bool) {
		return "hidden", true, name == "secretKey"
	})
	if err != nil {
		t.Fatal(err)
	}
	if secret, ok := inputs["secretKey"].(pulumi.Output); !ok || !pulumi.IsSecret(secret) {
		t.Errorf("the secret setting became %T", inputs["secretKey"])
	}
}

func TestAWSSettingsRefuseAnotherRegion(t *testing.T) {
	t.Parallel()
	_, err := awsSettings("us-east-2", nil, settings(map[string]string{"region": "eu-west-1"}))
	if err == nil || !strings.Contains(err.Error(), "pulumi config rm aws:region") {
		t.Fatalf("got %v", err)
	}
	if _, err := awsSettings("us-east-2", nil, settings(map[string]string{"region": "us-east-2"})); err != nil {
		t.Fatalf("the same region: %v", err)
	}
}

func TestDefaultTagsMerge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		blueprint map[string]string
		config    string
		want      map[string]string
		wrong     string
	}{
		"none":           {nil, "", nil, ""},
		"blueprint only": {map[string]string{"team": "a"}, "", map[string]string{"team": "a"}, ""},
		"both, config wins": {map[string]string{"team": "a", "env": "dev"}, `{"tags":{"team":"b"}}`,
			map[string]string{"team": "b", "env": "dev"}, ""},
		"not JSON": {nil, "team=b", nil, "aws:defaultTags is not of the form"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			values := map[string]string{}
			if c.config != "" {
				values["defaultTags"] = c.config
			}
			text, err := defaultTags(c.blueprint, settings(values))
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Fatalf("got error %v", err)
				}
				return
			}
			var got struct{ Tags map[string]string }
			if text != "" {
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatal(err)
				}
			}
			if err != nil || !reflect.DeepEqual(got.Tags, c.want) {
				t.Errorf("got %v, %v; want %v", got.Tags, err, c.want)
			}
		})
	}
}

func TestProviderSettingsAreTheSDKs(t *testing.T) {
	t.Parallel()
	names := strings.Join(providerSettings(), " ")
	for _, want := range []string{"profile", "region", "assumeRole", "endpoints", "defaultTags", "ignoreTags", "sharedConfigFiles"} {
		if !strings.Contains(names, want) {
			t.Errorf("%s is not among the settings of the AWS provider: %s", want, names)
		}
	}
}
