package pack

var capacityBlockTarget = Policy{
	Name: "capacity-block-target", Level: Mandatory, Area: Fabric,
	Summary: "A template for a Capacity Block names the reservation.",
	Why: "Market type `capacity-block` without a reservation target launches nothing: EC2 finds no block to take the instance from. A " +
		"misspelt key has the same effect, since the provider drops it.",
	Fix:    "Set `capacityReservationSpecification.capacityReservationTarget.capacityReservationId` to the id of the block.",
	Tokens: []string{tokenLaunchTemplate},
	Settings: []Setting{{Name: "starts", Kind: TimesSetting,
		Doc: "When bought Capacity Blocks start, by reservation id; `capacity-block-size` reads it."}},
	Resource: judgeCapacityBlockTarget,
}

func judgeCapacityBlockTarget(r *Resource, _ Config) []Finding {
	market, _ := r.Get("instanceMarketOptions", "marketType").Text()
	target := r.Get("capacityReservationSpecification", "capacityReservationTarget")
	id, okID := target.Get("capacityReservationId").TextOr("")
	group, okGroup := target.Get("capacityReservationResourceGroupArn").TextOr("")
	if market == "capacity-block" && okID && okGroup && id == "" && group == "" {
		return one("The market type is capacity-block, and no reservation is named: set capacityReservationTarget.capacityReservationId.")
	}
	return nil
}
