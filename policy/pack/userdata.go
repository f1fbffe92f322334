package pack

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
)

// maxUserData bounds what is unpacked: EC2 takes 16 KB, which gzip can blow up a thousandfold.
// Source: EC2 User Guide, "Run commands when you launch an EC2 instance with user data input".
const maxUserData = 16 << 20

// packedEnd is the word around what a script that prepares a node carries packed.
const packedEnd = "GPUYARD_BODY_ENDS"

// userData returns the user data of a launch template or instance as text: base64 and gzip are undone, and what a script
// that prepares the node carries packed follows. It is not ok if the user data is not known; user data that is left out
// is known to be empty.
func userData(r *Resource) (string, bool) {
	for _, name := range []string{"userDataBase64", "userData"} {
		v := r.Get(name)
		if v.Absent() {
			continue
		}
		text, ok := v.Text()
		if !ok {
			return "", false
		}
		text = decoded(text)
		return text + carried(text), true
	}
	return "", true
}

// decoded undoes base64 and gzip where they are used, and is the text itself where they are not.
func decoded(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return text
	}
	if plain, ok := unpacked(raw, maxUserData); ok {
		return plain
	}
	return string(raw)
}

// carried is what a text has between the words around what is packed. What is no such thing is left out.
func carried(text string) string {
	var found strings.Builder
	for _, part := range strings.Split(text, packedEnd)[1:] {
		_, body, _ := strings.Cut(part, "\n") // the line that begins it says how it is unpacked
		if raw, err := base64.StdEncoding.DecodeString(body); err == nil {
			plain, _ := unpacked(raw, maxUserData-found.Len())
			found.WriteString(plain)
		}
	}
	return found.String()
}

// unpacked undoes gzip, up to some bytes. It is not ok for what is none.
func unpacked(raw []byte, most int) (string, bool) {
	zipped, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return "", false
	}
	plain, err := io.ReadAll(io.LimitReader(zipped, int64(most)))
	return string(plain), err == nil
}
