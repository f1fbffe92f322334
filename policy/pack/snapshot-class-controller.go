package pack

var snapshotClassController = Policy{
	Name: "snapshot-class-controller", Level: Mandatory, Area: Storage,
	Summary: "A snapshot class has the controller and the sidecar that make its snapshots.",
	Why: "Without the controller a VolumeSnapshot never becomes ready, and says nothing. The chart of the Ceph CSI drivers makes no " +
		"sidecar for block volumes unless told to.",
	Fix: "Install the EKS add-on `snapshot-controller` (or its chart), and set `drivers.rbd.snapshotPolicy` to `volumeSnapshot` in " +
		"`ceph-csi-drivers`.",
	Stack: judgeSnapshotClassController,
}

func judgeSnapshotClassController(s *Stack, _ Config) []Finding {
	classes := s.Of(tokenSnapshotClass)
	if len(classes) == 0 || !chartsKnown(s) {
		return nil
	}
	var findings []Finding
	controller := len(charts(s, "snapshot-controller")) > 0
	for _, addon := range s.Of(tokenAddon) {
		name, known := addon.Get("addonName").Text()
		controller = controller || !known || name == "snapshot-controller"
	}
	if !controller {
		findings = append(findings, at(classes[0], "There is a VolumeSnapshotClass and no snapshot-controller."))
	}
	for _, drivers := range charts(s, "ceph-csi-drivers") {
		policy := drivers.Get("values", "drivers", "rbd", "snapshotPolicy")
		if text, ok := policy.TextOr("none"); ok && text == "none" {
			findings = append(findings, at(drivers, "drivers.rbd.snapshotPolicy is %s, so no sidecar takes snapshots: set it to \"volumeSnapshot\".", policy.Quote()))
		}
	}
	return findings
}
