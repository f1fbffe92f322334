package provider

import (
	"fmt"
	"strings"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/gpuyard/gpuyard/nodeprep"
)

// verdicts are the items of a plan in words: the verdict, and behind a colon what is to be said of it.
func verdicts(plan *nodeprep.Plan) map[string]string {
	r := nodeprep.NewRedactor(plan.Profile)
	out := map[string]string{}
	for _, item := range plan.Items {
		text := string(item.Verdict)
		if item.Verdict != nodeprep.OK {
			text += ": " + strings.Join(details(item), "; ")
		}
		out[item.Key] = r.Text(text)
	}
	for _, key := range nodeprep.Wanted(plan.Profile) {
		if _, found := out[key]; !found {
			out[key] = string(nodeprep.OK) // it has nothing to say about this host
		}
	}
	return out
}

// details say what of an item is not as it is wanted.
func details(item nodeprep.ItemPlan) []string {
	var out []string
	for _, s := range item.Settings {
		if s.Verdict == nodeprep.OK || s.Verdict == nodeprep.NotApplicable && item.Verdict != nodeprep.NotApplicable {
			continue
		}
		switch {
		case s.Reason != "":
			out = append(out, s.Name+": "+s.Reason)
		default:
			out = append(out, fmt.Sprintf("%s is %s (on disk %s), wanted %s", s.Name, s.Live, s.OnDisk, s.Wanted))
		}
	}
	return out
}

// verdictOf is the verdict of an item in words.
func verdictOf(text string) nodeprep.Verdict {
	verdict, _, _ := strings.Cut(text, ":")
	return nodeprep.Verdict(verdict)
}

// settled says whether an update has nothing to do about an item. What waits for a reboot waits, unless the update may
// reboot the host.
func settled(text, reboot string) bool {
	switch verdictOf(text) {
	case nodeprep.OK, nodeprep.NotApplicable:
		return true
	case nodeprep.RightAfterReboot:
		return reboot == rebootNever
	}
	return false
}

// blocked are the items that a person must decide about.
func blocked(plan *nodeprep.Plan) []string {
	var out []string
	r := nodeprep.NewRedactor(plan.Profile)
	for _, item := range plan.Items {
		if item.Verdict == nodeprep.Blocked {
			out = append(out, r.Text(item.Key+" is blocked: "+strings.Join(details(item), "; ")))
		}
	}
	return out
}

// differences compares a state with wanted inputs, item by item and argument by argument.
func differences(state HostState, args HostArgs) map[string]p.PropertyDiff {
	diff := map[string]p.PropertyDiff{}
	inputs := func(path string, differs bool, kind p.DiffKind) {
		if differs {
			diff[path] = p.PropertyDiff{Kind: kind, InputDiff: true}
		}
	}
	inputs("address", state.Address != args.Address, p.UpdateReplace)
	for name, differs := range map[string]bool{
		"port": state.Port != args.Port, "user": state.User != args.User, "keyFile": state.KeyFile != args.KeyFile,
		"knownHosts": state.KnownHosts != args.KnownHosts, "bastion": state.Bastion != args.Bastion, "reboot": state.Reboot != args.Reboot,
		"onDestroy":   state.OnDestroy != args.OnDestroy,
		"accelerator": state.Accelerator != args.Accelerator, "acceleratorCount": state.AcceleratorCount != args.AcceleratorCount,
	} {
		inputs(name, differs, p.Update)
	}
	for key, kind := range keys(state.Profile, args.Profile, func(was, is string) bool { return was == is }) {
		inputs(fmt.Sprintf("profile[%q]", key), true, kind)
	}
	inputs("secrets", len(keys(state.Secrets, args.Secrets, func(was, is string) bool { return was == is })) > 0, p.Update)
	for key, kind := range keys(state.Items, args.Items, func(was, _ string) bool { return settled(was, args.Reboot) }) {
		diff[fmt.Sprintf("items[%q]", key)] = p.PropertyDiff{Kind: kind}
	}
	return diff
}

// keys are the keys in which two maps differ, and how.
func keys(was, is map[string]string, same func(was, is string) bool) map[string]p.DiffKind {
	out := map[string]p.DiffKind{}
	for key, value := range is {
		if old, found := was[key]; !found {
			out[key] = p.Add
		} else if !same(old, value) {
			out[key] = p.Update
		}
	}
	for key := range was {
		if _, found := is[key]; !found {
			out[key] = p.Delete
		}
	}
	return out
}

// changes is what an update would do on a host: the items of its plan that are not right, with files and steps.
func changes(plan *nodeprep.Plan) string {
	wrong := *plan
	wrong.Items = nil
	for _, item := range plan.Items {
		if item.Verdict != nodeprep.OK && item.Verdict != nodeprep.NotApplicable {
			wrong.Items = append(wrong.Items, item)
		}
	}
	if len(wrong.Items) == 0 {
		return "nothing: " + plan.Summary()
	}
	var b strings.Builder
	_ = wrong.WriteText(&b, false) // a strings.Builder takes everything
	return "\n" + strings.TrimRight(b.String(), "\n")
}
