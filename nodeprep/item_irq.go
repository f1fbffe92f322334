package nodeprep

import (
	"fmt"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const (
	irqScript = "/usr/local/lib/gpuyard/irq"
	irqUnit   = "/etc/systemd/system/gpuyard-irq.service"
)

// irq has the interrupts of network adapters handled by processors of the adapter's own memory node: elsewhere every
// packet crosses the bus between the nodes. irqbalance would move them again, so it is turned off.
//
// Source: Linux, Documentation/core-api/irq/irq-affinity.rst.
func irq() item {
	return item{
		Key: "irq", Title: "Interrupts of network adapters",
		Keys:   []key{{Name: "irq.affinity", Legal: oneOf("local")}},
		Needs:  []string{"tuned"},
		Assess: assessIRQ,
		Steps: func(want) []script.Step {
			return []script.Step{
				script.Call("np_unit_off", "irqbalance.service"),
				script.Call("np_adapters", "sh", irqScript, irqContent, irqUnit, unitOf("Interrupts of network adapters", irqScript)),
			}
		},
		Files: func(want) []string { return []string{irqScript, irqUnit} },
		Predict: func(want, *facts.Host) map[string]string {
			return map[string]string{irqScript: irqContent, irqUnit: unitOf("Interrupts of network adapters", irqScript)}
		},
	}
}

func assessIRQ(_ want, h *facts.Host) []Setting {
	if len(h.Memory.Nodes) < 2 {
		return []Setting{notApplicable("irq.affinity", "local", "this host has one memory node: every processor is near")}
	}
	kept := h.Holds(irqScript, irqContent) && h.Holds(irqUnit, unitOf("Interrupts of network adapters", irqScript))
	var out []Setting
	for _, i := range h.IRQs {
		s := Setting{Name: "interrupts of " + i.Slot, Live: fmt.Sprintf("%d of %d near", i.Near, i.All), Wanted: fmt.Sprintf("%d of %d near", i.All, i.All)}
		if kept {
			s.OnDisk = s.Wanted
		}
		out = append(out, judged(s))
	}
	if len(out) == 0 {
		return []Setting{notApplicable("irq.affinity", "local", "the platform does not say which memory node an adapter is on")}
	}
	balance := h.Units["irqbalance.service"]
	s := Setting{Name: "irqbalance", Live: "off", OnDisk: "off", Wanted: "off"}
	if balance.Exists() && balance.Active == "active" {
		s.Live = "on"
	}
	if balance.Exists() && balance.File == "enabled" {
		s.OnDisk = "on"
	}
	return append(out, judged(s))
}

// irqContent moves every interrupt of an adapter whose memory node is known. One that the kernel manages by itself stays.
const irqContent = `#!/bin/sh
# Interrupts of network adapters on the processors near them, kept by gpuyard.
R=${GPUYARD_ROOT:-}
for d in "$R"/sys/bus/pci/devices/*; do
	[ -d "$d/msi_irqs" ] || continue
	read -r class <"$d/class"
	read -r node <"$d/numa_node"
	case $class in 0x02*) ;; *) continue ;; esac
	[ "$node" -ge 0 ] || continue
	read -r near <"$d/local_cpulist"
	for f in "$d"/msi_irqs/*; do
		list=$R/proc/irq/${f##*/}/smp_affinity_list
		[ -w "$list" ] || continue
		read -r now <"$list"
		if [ "$now" != "$near" ] && echo "$near" >"$list"; then echo "${f##*/}"; fi
	done
done 2>/dev/null
`
