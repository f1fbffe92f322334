package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const needrestartFile = "/etc/needrestart/conf.d/zz-gpuyard.conf"

// needrestart lets it list what needs a restart and restart nothing: in its automatic mode it restarts sshd and
// containerd under a running job. The environment would not do: sudo drops it.
func needrestart() item {
	const content = "# It lists and restarts nothing by itself, kept by gpuyard.\n$nrconf{restart} = 'l';\n$nrconf{kernelhints} = -1;\n"
	return item{
		Key: "needrestart", Title: "Restarts after upgrades",
		Keys: []key{{Name: "needrestart", Legal: oneOf("list")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			if h.PackageManager != "apt-get" {
				return []Setting{notApplicable("needrestart", "list", "only hosts with apt have it")}
			}
			return []Setting{ownedFile(h, needrestartFile, content)}
		},
		Steps: func(want) []script.Step {
			return []script.Step{script.On("ubuntu debian", script.File(needrestartFile, "0644", "any", content))}
		},
		Files: func(want) []string { return []string{needrestartFile} },
	}
}
