package blueprint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// checkBudget refuses a blueprint whose pools, all at their maximum, cost more an hour at list price than its budget.
//
// Of several types the dearest counts. Spot and reserved capacity count at list price, which bounds them from above.
// Source: AWS Price List, as far as the catalog has it; the message says where another region's price stands in.
func checkBudget(b *Blueprint, k known) hcl.Diagnostics {
	budget := b.Environment.BudgetPerHour
	if !budget.IsSet() {
		return nil
	}
	var diags hcl.Diagnostics
	var lines, unpriced []string
	total := 0.0
	for _, p := range b.NodePools {
		dearest, typ, from, none := dearestType(p, b.Environment.Region.Value, k)
		unpriced = append(unpriced, none...)
		if typ == "" {
			continue
		}
		cost := dearest * float64(max(p.Size.Max.Value, 0))
		total += cost
		lines = append(lines, fmt.Sprintf("%s %d × %s at %.4g%s = %.2f", p.Name.Value, p.Size.Max.Value, typ, dearest, from, cost))
	}
	if len(unpriced) > 0 {
		slices.Sort(unpriced)
		diags = append(diags, warnf(budget.Range, "Budget without a price",
			"No list price is known for %s, so the budget does not cover it.", list(slices.Compact(unpriced))))
	}
	if total > budget.Value {
		diags = append(diags, errorf(budget.Range, "Budget exceeded",
			"With every pool at its maximum the environment costs %.2f USD an hour at list price, and the budget is %.2f: %s. Lower a maximum, or raise budget_per_hour.",
			total, budget.Value, shortened(lines, len(lines))))
	}
	return diags
}

// dearestType finds the type of a pool with the highest price, the region whose price stands in, and the types that
// have none.
func dearestType(p *NodePool, region string, k known) (price float64, typ, from string, unpriced []string) {
	for _, t := range p.Types {
		found, ok := k.catalog.Price(t.Name, region)
		if !ok || found.Currency != "USD" {
			unpriced = append(unpriced, t.Name)
			continue
		}
		if typ == "" || found.PerHour > price {
			price, typ, from = found.PerHour, t.Name, ""
			if !found.Exact {
				from = fmt.Sprintf(" (the price of %s)", found.Region)
			}
		}
	}
	return price, typ, from, unpriced
}

// mostShown is how many pools a message shows.
const mostShown = 20

// shortened joins the parts of a message for as many pools as it shows, of all that there are.
func shortened(lines []string, all int) string {
	shown := lines[:min(len(lines), mostShown):min(len(lines), mostShown)]
	switch left := all - len(shown); left {
	case 0:
	case 1:
		shown = append(shown, "and 1 more pool")
	default:
		shown = append(shown, fmt.Sprintf("and %d more pools", left))
	}
	return strings.Join(shown, "; ")
}
