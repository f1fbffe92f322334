package facts

import (
	"slices"
	"strconv"
	"strings"
)

// parseOS tells the distribution and its family.
//
// Source: os-release(5).
func parseOS(text string) OS {
	kv := keyValues(text)
	os := OS{ID: kv["ID"], Version: kv["VERSION_ID"], Name: kv["PRETTY_NAME"]}
	like := strings.Fields(kv["ID_LIKE"])
	switch {
	case os.ID == "ubuntu":
		os.Family = Ubuntu
	case os.ID == "debian":
		os.Family = Debian
	case os.ID == "amzn" && os.Version == "2023":
		os.Family = Amazon
	case os.ID == "amzn":
		os.Family = Unknown // Amazon Linux 2 is another system
	case slices.Contains([]string{"rhel", "rocky", "almalinux", "centos"}, os.ID), slices.Contains(like, "rhel"):
		os.Family = RedHat
	}
	return os
}

func parseKernel(s sections) Kernel {
	k := Kernel{Args: ParseArgs(first(s["cmdline"])), Installed: map[string]bool{}, Images: map[string]int64{}}
	if uname := lines(s["uname"]); len(uname) == 2 {
		k.Release, k.Arch = uname[0], uname[1]
	}
	for _, f := range fields(s["kernels"], 2) {
		k.Installed[f[0]] = f[1] == "headers"
	}
	for _, f := range fields(s["boot-files"], 2) {
		if n, err := strconv.ParseInt(f[0], 10, 64); err == nil {
			k.Images[f[1]] = n
		}
	}
	return k
}

// ParseArgs splits a kernel command line. Quotes hold blanks together; what follows "--" is for init.
//
// Source: Linux, Documentation/admin-guide/kernel-parameters.rst.
func ParseArgs(line string) []Arg {
	var args []Arg
	for _, word := range splitQuoted(line) {
		if word == "--" {
			break
		}
		key, value, found := strings.Cut(word, "=")
		args = append(args, Arg{Key: key, Value: value, Flag: !found})
	}
	return args
}

func splitQuoted(line string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for _, r := range line {
		if r == '"' {
			quoted = !quoted
		}
		if (r == ' ' || r == '\t' || r == '\n') && !quoted {
			if word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
			continue
		}
		word.WriteRune(r)
	}
	if word.Len() > 0 {
		words = append(words, word.String())
	}
	return words
}

// parseSecureBoot reads the EFI variable as od prints it: four bytes of attributes, then the value.
//
// Source: Linux, Documentation/filesystems/efivarfs.rst.
func parseSecureBoot(text string) SecureBoot {
	efi := false
	for _, line := range lines(text) {
		f := strings.Fields(line)
		if line == "efi" {
			efi = true
		}
		if len(f) == 5 {
			if f[4] == "1" {
				return SecureBootOn
			}
			return SecureBootOff
		}
	}
	if efi {
		return SecureBootOff
	}
	return SecureBootNone
}

// parseBootloader tells who owns the kernel command line, by what is installed.
func parseBootloader(text string, commands []string) Bootloader {
	files := lines(text)
	switch {
	case slices.Contains(commands, "grubby") && slices.Contains(files, "/boot/loader/entries"):
		return Grubby
	case slices.Contains(commands, "update-grub") && slices.Contains(files, "/etc/default/grub"):
		return GrubFragments
	}
	return NoBootloader
}

func parseSELinux(text string) string {
	switch first(text) {
	case "1":
		return "enforcing"
	case "0":
		return "permissive"
	}
	return "disabled"
}

func parseCloudInit(text string) string {
	switch files := lines(text); {
	case slices.Contains(files, "result.json"):
		return "done"
	case slices.Contains(files, "instance-data.json"):
		return "running"
	}
	return ""
}

func parseMounts(text string) []Mount {
	var mounts []Mount
	for _, f := range fields(text, 4) {
		mounts = append(mounts, Mount{Source: f[0], Target: f[1], Type: f[2]})
	}
	return mounts
}

// readOnly are the places that a host must be able to write, and cannot.
func readOnly(text string) []string {
	var out []string
	for _, f := range fields(text, 4) {
		system := slices.Contains([]string{"/", "/etc", "/usr", "/var", "/boot"}, f[1])
		if system && slices.Contains(strings.Split(f[3], ","), "ro") {
			out = append(out, f[1])
		}
	}
	return out
}

func parseSpace(text string) []Space {
	var out []Space
	for _, f := range fields(text, 6) {
		if free, err := strconv.ParseInt(f[3], 10, 64); err == nil {
			s := Space{Mount: f[5], FreeKiB: free}
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func parseSwaps(text string) []string {
	var out []string
	for _, f := range fields(text, 5) {
		if f[0] != "Filename" {
			out = append(out, f[0])
		}
	}
	return out
}

// parseUnits reads blocks of systemctl show, one a unit.
func parseUnits(text string) map[string]Unit {
	out := map[string]Unit{}
	for _, kv := range blocks(text) {
		out[kv["Id"]] = Unit{Load: kv["LoadState"], Active: kv["ActiveState"], File: kv["UnitFileState"]}
	}
	return out
}

// blocks are paragraphs of KEY=VALUE with an Id.
func blocks(text string) []map[string]string {
	var out []map[string]string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if kv := keyValues(paragraph); kv["Id"] != "" {
			out = append(out, kv)
		}
	}
	return out
}

func routeDevice(text string) string {
	f := strings.Fields(first(text))
	if i := slices.Index(f, "dev"); i >= 0 && i+1 < len(f) {
		return f[i+1]
	}
	return ""
}

// parseTuned reads the active profile's files, the active one first; a profile overrides what it includes.
//
// Source: tuned.conf(5).
func parseTuned(text string) Tuned {
	t := Tuned{Settings: map[string]TunedSetting{}}
	section := ""
	for line := range strings.Lines(text) {
		path, rest, found := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		rest = strings.TrimSpace(rest)
		if !found || rest == "." {
			section = ""
			continue
		}
		if name, is := strings.CutPrefix(rest, "profile="); is && section == "" {
			if t.Profile == "" {
				t.Profile = name
			}
			continue
		}
		if strings.HasPrefix(rest, "[") {
			section = strings.Trim(rest, "[]")
			continue
		}
		key, value, isSetting := strings.Cut(rest, "=")
		if name := section + "." + strings.TrimSpace(key); isSetting && section != "" && section != "main" {
			if _, over := t.Settings[name]; !over {
				value, _, _ = strings.Cut(value, "#")
				t.Settings[name] = TunedSetting{Value: strings.TrimSpace(strings.TrimLeft(value, ">=")), File: path}
			}
		}
	}
	return t
}
