package pack

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
)

// maxUserData bounds what is unpacked: EC2 takes 16 KB, which gzip can blow up a thousandfold.
// Source: EC2 User Guide, "Run commands when you launch an EC2 instance with user data input".
const maxUserData = 16 << 20

// userData returns the user data of a launch template or instance as text: base64 and gzip are undone. It is not ok if
// the user data is not known; user data that is left out is known to be empty.
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
		return decoded(text), true
	}
	return "", true
}

// decoded undoes base64 and gzip where they are used, and is the text itself where they are not.
func decoded(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return text
	}
	zipped, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return string(raw)
	}
	plain, err := io.ReadAll(io.LimitReader(zipped, maxUserData))
	if err != nil {
		return string(raw)
	}
	return string(plain)
}
