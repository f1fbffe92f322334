package pack

const nodeMonitoringAgent = "eks-node-monitoring-agent"

var nodeRepairMonitoring = Policy{
	Name: "node-repair-monitoring", Level: Mandatory, Area: Nodes,
	Summary: "Accelerator pools with node repair have the agent that sees broken accelerators.",
	Why: "By itself EKS repairs nodes that kubelet reports as not ready. A GPU that fell off its bus leaves the node ready: jobs " +
		"land on it and fail, and nothing is repaired. The node monitoring agent reads the driver's errors and tells EKS.",
	Fix: "Install the EKS add-on `" + nodeMonitoringAgent + "` (or its chart), or leave node repair off. A stack without any add-on " +
		"is not judged: its add-ons come from elsewhere.",
	Stack: judgeNodeRepairMonitoring,
}

// Source: EKS User Guide, "Enable node auto repair and investigate node health issues".
func judgeNodeRepairMonitoring(s *Stack, _ Config) []Finding {
	addons := s.Of(tokenAddon)
	if len(addons) == 0 || !chartsKnown(s) || len(charts(s, nodeMonitoringAgent)) > 0 {
		return nil
	}
	for _, addon := range addons {
		if name, known := addon.Get("addonName").Text(); !known || name == nodeMonitoringAgent {
			return nil
		}
	}
	var findings []Finding
	for _, p := range s.pools {
		if p.group == nil || accelerated(p.types) == nil {
			continue
		}
		if repairs, _ := p.group.Get("nodeRepairConfig", "enabled").Flag(); repairs {
			findings = append(findings, at(p.group, "Node repair is on for %s, and nothing sees its accelerators fail: install the add-on %s.",
				accelerated(p.types).Name, nodeMonitoringAgent))
		}
	}
	return findings
}
