package pack

import (
	"time"
)

var capacityBlockSize = Policy{
	Name: "capacity-block-size", Level: Mandatory, Area: Nodes,
	Summary: "A pool in a Capacity Block has the desired size zero until the block starts.",
	Why: "Before its start a block has no capacity: EKS retries the launch until the group is degraded, and the update that created it " +
		"fails after an hour.",
	Fix: "Set `desiredSize` to 0 and scale the group when the block starts. For a block that this stack does not buy, give the policy " +
		"`capacity-block-target` its start.",
	SettingsOf: "capacity-block-target",
	Stack:      judgeCapacityBlockSize,
}

// Source: EKS User Guide, "Create a managed node group with Capacity Blocks for ML".
func judgeCapacityBlockSize(s *Stack, c Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		if p.group == nil || p.template == nil || !p.reserved() {
			continue
		}
		id := p.template.Get("capacityReservationSpecification", "capacityReservationTarget", "capacityReservationId")
		name, _ := id.Text()
		start, known := c.time("starts", name)
		if block := s.Meant(p.template, "capacityReservationSpecification", id, tokenCapacityBlock); block != nil && !known {
			text, _ := block.Get("startDate").Text()
			parsed, err := time.Parse(time.RFC3339, text)
			start, known = parsed, err == nil
		}
		desired, ok := p.group.Get("scalingConfig", "desiredSize").Number()
		if known && ok && desired > 0 && s.now.Before(start) {
			findings = append(findings, at(p.group, "The desired size is %.0f, and the Capacity Block starts at %s: set it to 0 until then.",
				desired, start.UTC().Format(time.RFC3339)))
		}
	}
	return findings
}
