package script

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
)

// MaxUserData is how many bytes of user data EC2 takes.
//
// Source: EC2 User Guide, "Run commands when you launch an EC2 instance": 16 KB in raw form, before encoding.
const MaxUserData = 16 * 1024

// end closes the part of a script that carries its body.
const end = "GPUYARD_BODY_ENDS"

// Script is the body as a script for a shell's standard input, or a file.
func (b Body) Script() string { return b.carry("script", "") }

// carry wraps the body in a function that the last line calls: a shell runs what it reads line by line, so without it
// a script that is cut off would be half done. The last word of the last line is what the function waits for. settings
// are lines in front of the body.
func (b Body) carry(mode, settings string) string {
	text := strings.TrimRight(b.text, "\n")
	if strings.Contains(text, end) {
		panic("script: a body contains the word that ends it")
	}
	return fmt.Sprintf(`#!/bin/sh
# Prepares this host. Made by gpuyard; it does nothing unless it has arrived whole.
nodeprep() {
	LC_ALL=C
	export LC_ALL
	# Logins of some users do not look where the tools of the system are.
	if [ -z "${GPUYARD_ROOT:-}" ]; then PATH=$PATH:/usr/sbin:/sbin; fi
	np_mode=%s
%s	np_payload=$(
		cat <<'%s'
%s
%s
	)
	if [ "$(printf '%%s' "$np_payload" | wc -c)" -ne %d ] ||
		[ "$(printf '%%s' "$np_payload" | sha256sum | cut -d ' ' -f 1)" != %s ]; then
		printf 'np\tend\tdamaged\tthe script did not arrive as it was sent\n'
		return 1
	fi
	for np_last; do :; done
	if [ "${np_last:-}" = whole ]; then eval "$np_payload"; fi
}
</dev/null nodeprep "$@" whole
`, mode, settings, end, text, end, len(text), b.Hash())
}

// UserDataOptions say how a host prepares itself at its first boot.
type UserDataOptions struct {
	// Reboot lets the host reboot itself where an item needs it, and go on afterwards. It is nothing for a node that
	// joins a cluster at first boot: such a node would be rebooted after it has joined.
	Reboot bool
	// Limit is how long the user data may be; 0: EC2's limit.
	Limit int
}

// UserData is the body as a script for cloud-init, in short form where it is too long otherwise.
func (b Body) UserData(o UserDataOptions) (string, error) {
	settings := "\tnp_in_cloud_init=yes\n"
	if o.Reboot {
		settings += "\tnp_self_reboot=yes\n"
	}
	limit := o.Limit
	if limit == 0 {
		limit = MaxUserData
	}
	plain := b.carry("user-data", settings)
	if len(plain) <= limit {
		return plain, nil
	}
	short := compressed(plain)
	if len(short) > limit {
		return "", fmt.Errorf("user data is %d bytes long and %d compressed, where %d are allowed: prepare the host over SSH, or leave items out of the profile",
			len(plain), len(short), limit)
	}
	return short, nil
}

// compressed is a script that unpacks and runs another. It keeps the property that a part of it does nothing.
func compressed(script string) string {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is legal
	}
	w.Write([]byte(script)) //nolint:errcheck // a buffer takes everything
	w.Close()               //nolint:errcheck
	return fmt.Sprintf(`#!/bin/sh
# Prepares this host. Made by gpuyard; packed, since user data is short.
nodeprep_unpack() {
	np_file=$(mktemp) || return
	base64 -d <<'%s' | gzip -d >"$np_file" && sh "$np_file"
%s%s
	np_code=$?
	rm -f "$np_file"
	return $np_code
}
nodeprep_unpack
`, end, wrapped(base64.StdEncoding.EncodeToString(packed.Bytes())), end)
}

// wrapped breaks a long line at 76 characters.
func wrapped(line string) string {
	var b strings.Builder
	for len(line) > 76 {
		b.WriteString(line[:76] + "\n")
		line = line[76:]
	}
	return b.String() + line + "\n"
}
