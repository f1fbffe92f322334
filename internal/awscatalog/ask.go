package awscatalog

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/pricing"
	pricingtypes "github.com/aws/aws-sdk-go-v2/service/pricing/types"

	"github.com/gpuyard/gpuyard/catalog/answers"
)

// Answer is what AWS said.
type Answer struct {
	answers.Set
	// Unpriced are the types whose list price AWS does not state, by region.
	Unpriced map[string][]answers.LeftOut
	// Denied are the regions whose prices the identity may not ask for, with the reason.
	Denied map[string]error
}

// Ask asks about regions, one after another. Of a type that several have, the first region's description counts. That
// prices are denied is no error: whoever may look at EC2 may often not look at prices.
func Ask(ctx context.Context, c Clients, regions []string, now time.Time) (*Answer, error) {
	asked := strings.Join(regions, ", ") + " on " + now.UTC().Format(time.DateOnly)
	a := &Answer{
		Set: answers.Set{
			Types:     answers.Types{Source: "EC2 DescribeInstanceTypes in " + asked, Types: map[string]json.RawMessage{}},
			Offerings: answers.Offerings{Source: "EC2 DescribeInstanceTypeOfferings (location type availability-zone-id) in " + asked, Regions: map[string]map[string][]string{}},
			Prices:    answers.Prices{Source: "AWS Price List Query API, GetProducts, for " + asked, Generated: map[string]time.Time{}, Regions: map[string]map[string]float64{}},
		},
		Unpriced: map[string][]answers.LeftOut{}, Denied: map[string]error{},
	}
	for _, region := range regions {
		if err := a.types(ctx, c.EC2(region)); err != nil {
			return nil, explain(err, "ec2:DescribeInstanceTypes", region)
		}
		if err := a.offerings(ctx, c.EC2(region), region); err != nil {
			return nil, explain(err, "ec2:DescribeInstanceTypeOfferings", region)
		}
		entries, err := priceList(ctx, c.Prices(region), region)
		switch {
		case denied(err):
			a.Denied[region] = explain(err, "pricing:GetProducts", region)
		case err != nil:
			return nil, explain(err, "pricing:GetProducts", region)
		default:
			a.Prices.Generated[region] = now
			a.Prices.Regions[region], a.Unpriced[region] = answers.ReadPrices(region, entries)
		}
	}
	return a, nil
}

func (a *Answer) types(ctx context.Context, client EC2) error {
	pages := ec2.NewDescribeInstanceTypesPaginator(client, &ec2.DescribeInstanceTypesInput{MaxResults: aws.Int32(100)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, t := range page.InstanceTypes {
			name := string(t.InstanceType)
			if _, known := a.Types.Types[name]; known {
				continue
			}
			// The SDK's structs have the names of EC2's own JSON.
			text, err := json.Marshal(t)
			if err != nil {
				return fmt.Errorf("writing down %s: %w", name, err)
			}
			a.Types.Types[name] = text
		}
	}
	return nil
}

func (a *Answer) offerings(ctx context.Context, client EC2, region string) error {
	zones := map[string][]string{}
	pages := ec2.NewDescribeInstanceTypeOfferingsPaginator(client, &ec2.DescribeInstanceTypeOfferingsInput{
		LocationType: ec2types.LocationTypeAvailabilityZoneId, MaxResults: aws.Int32(1000),
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, o := range page.InstanceTypeOfferings {
			name := string(o.InstanceType)
			if _, described := a.Types.Types[name]; described { // a type may come into being between the two questions
				zones[name] = append(zones[name], aws.ToString(o.Location))
			}
		}
	}
	a.Offerings.Regions[region] = zones
	return nil
}

// priceList returns the entries of the price list that are for Linux on shared hardware, without licences and not out of
// a reservation.
//
// Source: AWS Billing User Guide, "Finding services and products using the AWS Price List Query API"; attributes of
// AmazonEC2.
func priceList(ctx context.Context, client pricing.GetProductsAPIClient, region string) ([]string, error) {
	var filters []pricingtypes.Filter
	for _, f := range [][2]string{
		{"regionCode", region}, {"operatingSystem", "Linux"}, {"tenancy", "Shared"}, {"preInstalledSw", "NA"},
		{"capacitystatus", "Used"}, {"marketoption", "OnDemand"},
	} {
		filters = append(filters, pricingtypes.Filter{Type: pricingtypes.FilterTypeTermMatch, Field: aws.String(f[0]), Value: aws.String(f[1])})
	}
	var entries []string
	pages := pricing.NewGetProductsPaginator(client, &pricing.GetProductsInput{
		ServiceCode: aws.String("AmazonEC2"), FormatVersion: aws.String("aws_v1"), Filters: filters, MaxResults: aws.Int32(100),
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		entries = append(entries, page.PriceList...)
	}
	return entries, nil
}
