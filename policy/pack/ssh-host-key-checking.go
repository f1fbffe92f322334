package pack

import (
	"regexp"
	"strings"
)

var sshHostKeyChecking = Policy{
	Name: "ssh-host-key-checking", Level: Mandatory, Area: Nodes,
	Summary: "SSH checks host keys.",
	Why: "With the check off, whoever answers at an address is trusted with the commands, the files and often the agent that come over " +
		"the connection. In a cluster whose addresses are used again that is also a plain mistake waiting.",
	Fix:      "Put the hosts' keys into a known-hosts file, or sign host keys with an authority that the clients trust.",
	Resource: judgeSSHHostKeyChecking,
}

var (
	hostKeyOff  = regexp.MustCompile(`(?i)StrictHostKeyChecking["']?[\s=:]+["']?(?:no|off|false)\b`)
	noKnownHost = regexp.MustCompile(`(?i)UserKnownHostsFile["']?[\s=:]+["']?/dev/null`)
)

func judgeSSHHostKeyChecking(r *Resource, _ Config) []Finding {
	var findings []Finding
	r.texts(func(path []string, v Value) {
		text, _ := v.Text()
		if r.Type == tokenHost && path[len(path)-1] == "knownHosts" && text == "/dev/null" {
			findings = append(findings, one("knownHosts is /dev/null, where no key is known.")...)
			return
		}
		if name := path[len(path)-1]; name == "userData" || name == "userDataBase64" {
			text = decoded(text)
		}
		if !strings.Contains(text, "HostKeyChecking") && !strings.Contains(text, "hostkeychecking") && !strings.Contains(text, "KnownHostsFile") {
			return
		}
		switch {
		case hostKeyOff.MatchString(text):
			findings = append(findings, one("%s turns StrictHostKeyChecking off.", strings.Join(path, "."))...)
		case noKnownHost.MatchString(text):
			findings = append(findings, one("%s throws known hosts away (UserKnownHostsFile /dev/null).", strings.Join(path, "."))...)
		}
	})
	return findings
}
