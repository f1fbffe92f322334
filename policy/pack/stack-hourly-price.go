package pack

import (
	"maps"
	"slices"
)

var stackHourlyPrice = Policy{
	Name: "stack-hourly-price", Level: Mandatory, Area: Spending,
	Summary:    "All pools together cost no more an hour than the configuration allows.",
	Why:        "Each pool may be within its limit and the environment still beyond its budget.",
	Fix:        "Lower the maximum size of a pool, or raise `maxPerStack` of the policy `pool-hourly-price`, which this one reads.",
	SettingsOf: "pool-hourly-price",
	Stack:      judgeStackHourlyPrice,
}

func judgeStackHourlyPrice(s *Stack, c Config) []Finding {
	limit, limited := c.number("maxPerStack")
	if !limited {
		return nil
	}
	totals := map[string]float64{}
	pools := 0
	for _, p := range s.pools {
		if p.group == nil {
			continue
		}
		if one, ok := priceOf(p.group, p.types); ok {
			totals[one.currency] += one.amount
			pools++
		}
	}
	var findings []Finding
	for _, currency := range slices.Sorted(maps.Keys(totals)) {
		if totals[currency] > limit {
			findings = append(findings, one("The %d pools cost %s %s an hour at their maximum sizes, and %s is the limit.",
				pools, dollars(totals[currency]), currency, dollars(limit))...)
		}
	}
	return findings
}
