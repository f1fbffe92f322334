package awscatalog_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/catalog/answers"
	"github.com/gpuyard/gpuyard/internal/awscatalog"
	"github.com/gpuyard/gpuyard/internal/awscatalog/awstest"
)

// now is when AWS is asked.
var now = time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)

// recorded are answers of EC2 and prices.
func recorded(t *testing.T) answers.Set {
	t.Helper()
	var s answers.Set
	for name, into := range map[string]any{"types": &s.Types, "offerings": &s.Offerings, "prices": &s.Prices} {
		src, err := os.ReadFile("../../catalog/answers/testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(src, into); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// serve starts a server of recorded answers, and returns clients that reach it, with attempts that follow at once.
func serve(t *testing.T, set answers.Set) (*awstest.Server, awscatalog.Clients) {
	t.Helper()
	server := awstest.New(set)
	t.Cleanup(server.Close)
	return server, awscatalog.New(settings(server.URL))
}

func settings(url string) aws.Config {
	return aws.Config{
		BaseEndpoint: &url,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", SecretAccessKey: "none"}, nil
		}),
		Retryer: func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.Backoff = 3, retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		},
	}
}

// TestAskAnswersWhatWasRecorded: what goes through EC2's XML and the clients comes to the data set that the recorded JSON
// comes to.
func TestAskAnswersWhatWasRecorded(t *testing.T) {
	t.Parallel()
	set := recorded(t)
	server, clients := serve(t, set)
	got, err := awscatalog.Ask(t.Context(), clients, []string{"us-west-2", "eu-west-1"}, now)
	if err != nil {
		t.Fatal(err)
	}
	want := answers.Set{
		Types: answers.Types{Source: got.Types.Source, Types: map[string]json.RawMessage{}},
		Offerings: answers.Offerings{Source: got.Offerings.Source, Regions: map[string]map[string][]string{
			"us-west-2": set.Offerings.Regions["us-west-2"], "eu-west-1": set.Offerings.Regions["eu-west-1"],
		}},
		Prices: got.Prices,
	}
	for name := range set.Offerings.Regions["us-west-2"] { // which has all that eu-west-1 has
		want.Types.Types[name] = set.Types.Types[name]
	}
	if g, w := text(t, got.Set), text(t, want); g != w {
		t.Errorf("got:\n%s\nwant:\n%s", g, w)
	}
	if calls := server.Calls("DescribeInstanceTypes"); calls != 3 {
		t.Errorf("%d pages of types were asked for, want 2 and 1", calls)
	}
	for _, source := range []string{got.Types.Source, got.Offerings.Source, got.Prices.Source} {
		if !strings.Contains(source, "us-west-2, eu-west-1 on 2026-11-30") {
			t.Errorf("the source %q does not say what was asked and when", source)
		}
	}
}

func text(t *testing.T, set answers.Set) string {
	t.Helper()
	data, left, err := set.Reduce()
	if err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
	return string(data)
}

func TestPricesOfARegion(t *testing.T) {
	t.Parallel()
	set := recorded(t)
	set.Offerings.Regions["us-east-1"] = map[string][]string{"m5.large": {"use1-az1"}, "g6f.large": {"use1-az1"}}
	set.Offerings.Regions["cn-north-1"] = map[string][]string{"m5.large": {"cnn1-az1"}}
	_, clients := serve(t, set)
	got, err := awscatalog.Ask(t.Context(), clients, []string{"us-east-1", "cn-north-1"}, now)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.Override([]byte(text(t, got.Set)))
	if err != nil {
		t.Fatal(err)
	}
	for region, want := range map[string]catalog.Price{
		"us-east-1":  {PerHour: 0.096, Currency: "USD", Region: "us-east-1", Date: "2026-11-30", Exact: true},
		"cn-north-1": {PerHour: 0.856, Currency: "CNY", Region: "cn-north-1", Date: "2026-11-30", Exact: true},
	} {
		if price, ok := cat.Price("m5.large", region); !ok || price != want {
			t.Errorf("%s: %+v, want %+v", region, price, want)
		}
	}
}

func TestThrottlingIsWaitedOut(t *testing.T) {
	t.Parallel()
	server, clients := serve(t, recorded(t))
	busy := awstest.Fault{Status: http.StatusServiceUnavailable, Code: "RequestLimitExceeded"}
	server.Fail("DescribeInstanceTypes", busy, busy)
	server.Fail("DescribeInstanceTypeOfferings", busy)
	if _, err := awscatalog.Ask(t.Context(), clients, []string{"eu-west-1"}, now); err != nil {
		t.Error(err)
	}
	if calls := server.Calls("DescribeInstanceTypes"); calls != 3 {
		t.Errorf("%d calls, want two that were throttled and one that was not", calls)
	}
}

func TestDeniedPricesAreNoError(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"AccessDeniedException", "UnrecognizedClientException"} {
		server, clients := serve(t, recorded(t))
		server.Fail("GetProducts", awstest.Fault{Status: http.StatusBadRequest, Code: code})
		got, err := awscatalog.Ask(t.Context(), clients, []string{"eu-west-1"}, now)
		if err != nil {
			t.Fatal(err)
		}
		if why := got.Denied["eu-west-1"]; why == nil || !strings.Contains(why.Error(), "pricing:GetProducts") {
			t.Errorf("%s: the reason is %v, want one that names the permission", code, why)
		}
		if _, stated := got.Prices.Regions["eu-west-1"]; stated || len(got.Types.Types) != 1 {
			t.Errorf("%s: prices %v, types %v; want types alone", code, got.Prices.Regions, got.Types.Types)
		}
	}
}

func TestWhatAskRefuses(t *testing.T) {
	t.Parallel()
	throttled := slices.Repeat([]awstest.Fault{{Status: http.StatusServiceUnavailable, Code: "RequestLimitExceeded"}}, 3)
	for name, c := range map[string]struct {
		action string
		faults []awstest.Fault
		want   string
	}{
		"denied":            {"DescribeInstanceTypes", []awstest.Fault{{Status: http.StatusForbidden, Code: "UnauthorizedOperation"}}, "asking AWS about eu-west-1 (ec2:DescribeInstanceTypes): the identity may not: give it the permission ec2:DescribeInstanceTypes"},
		"offerings denied":  {"DescribeInstanceTypeOfferings", []awstest.Fault{{Status: http.StatusForbidden, Code: "UnauthorizedOperation"}}, "give it the permission ec2:DescribeInstanceTypeOfferings"},
		"expired":           {"DescribeInstanceTypes", []awstest.Fault{{Status: http.StatusBadRequest, Code: "RequestExpired"}}, "the credentials have expired: sign in again"},
		"expired for price": {"GetProducts", []awstest.Fault{{Status: http.StatusBadRequest, Code: "ExpiredTokenException"}}, "(pricing:GetProducts): the credentials have expired"},
		"wrong credentials": {"DescribeInstanceTypes", []awstest.Fault{{Status: http.StatusUnauthorized, Code: "AuthFailure"}}, "or the account has not enabled eu-west-1"},
		"throttled":         {"DescribeInstanceTypes", throttled, "AWS is asked too often by this account: try again in a minute"},
		"something else":    {"DescribeInstanceTypes", []awstest.Fault{{Status: http.StatusBadRequest, Code: "InvalidParameterValue"}}, "asking AWS about eu-west-1 (ec2:DescribeInstanceTypes): operation error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, clients := serve(t, recorded(t))
			server.Fail(c.action, c.faults...)
			if _, err := awscatalog.Ask(t.Context(), clients, []string{"eu-west-1"}, now); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestWithoutANetwork(t *testing.T) {
	t.Parallel()
	gone := awstest.New(answers.Set{})
	gone.Close()
	for url, want := range map[string]string{
		gone.URL:              "AWS cannot be reached: is there a network",
		"http://none.invalid": "there is no none.invalid: is the name of the region right, and is there a network?",
	} {
		if _, err := awscatalog.Ask(t.Context(), awscatalog.New(settings(url)), []string{"eu-west-1"}, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", url, err, want)
		}
	}
}

func TestAnInterruptIsNoFailureOfAWS(t *testing.T) {
	t.Parallel()
	_, clients := serve(t, recorded(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := awscatalog.Ask(ctx, clients, []string{"eu-west-1"}, now); err == nil || strings.Contains(err.Error(), "asking AWS") {
		t.Errorf("got %v, want the interrupt alone", err)
	}
}
