package awscatalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/pricing"
)

// EC2 is what is asked of EC2 in a region.
type EC2 interface {
	ec2.DescribeInstanceTypesAPIClient
	ec2.DescribeInstanceTypeOfferingsAPIClient
}

// Clients reach the parts of AWS that are asked.
type Clients struct {
	// EC2 returns the client of a region.
	EC2 func(region string) EC2
	// Prices returns the client that knows a region's prices.
	Prices func(region string) pricing.GetProductsAPIClient
}

// attempts is how often AWS is asked when it throttles or does not answer.
const attempts = 5

// Connect returns clients with the credentials and settings that every AWS tool takes: environment, shared files, SSO,
// the instance's role.
func Connect(ctx context.Context) (Clients, error) {
	cfg, err := config.LoadDefaultConfig(ctx, config.WithRetryMaxAttempts(attempts))
	if err != nil {
		return Clients{}, fmt.Errorf("reading the settings of AWS: %w", err)
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return Clients{}, fmt.Errorf("there are no credentials for AWS here: sign in (aws sso login), or set AWS_PROFILE or "+
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: %w", err)
	}
	return New(cfg), nil
}

// New returns clients with given settings.
func New(cfg aws.Config) Clients {
	return Clients{
		EC2: func(region string) EC2 {
			return ec2.NewFromConfig(cfg, func(o *ec2.Options) { o.Region = region })
		},
		Prices: func(region string) pricing.GetProductsAPIClient {
			return pricing.NewFromConfig(cfg, func(o *pricing.Options) { o.Region = priceRegion(region) })
		},
	}
}

// priceRegion is where the price list of a region is read: it is offered in few.
//
// Source: AWS General Reference, "AWS Price List endpoints and quotas".
func priceRegion(region string) string {
	if strings.HasPrefix(region, "cn-") {
		return "cn-northwest-1"
	}
	return "us-east-1"
}
