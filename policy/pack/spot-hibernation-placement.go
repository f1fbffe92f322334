package pack

var spotHibernationPlacement = Policy{
	Name: "spot-hibernation-placement", Level: Mandatory, Area: Fabric,
	Summary: "Spot nodes in a placement group are terminated when interrupted, not stopped or hibernated.",
	Why: "EC2 refuses spot requests that combine a cluster placement group with an interruption behaviour of stop or hibernate: the " +
		"place would have to be kept free.",
	Fix:      "Leave `instanceInterruptionBehavior` out, or set it to `terminate`.",
	Tokens:   []string{tokenLaunchTemplate},
	Resource: judgeSpotHibernationPlacement,
}

// Source: EC2 API, RequestSpotInstances; Karpenter, designs/placement-groups-support.md.
func judgeSpotHibernationPlacement(r *Resource, _ Config) []Finding {
	placed := !r.Get("placement", "groupName").Absent() || !r.Get("placement", "groupId").Absent()
	behaviour := r.Get("instanceMarketOptions", "spotOptions", "instanceInterruptionBehavior")
	if text, _ := behaviour.Text(); placed && (text == "stop" || text == "hibernate") {
		return one("An interrupted spot node shall %s, and it is in a placement group: only terminate goes with one.", text)
	}
	return nil
}
