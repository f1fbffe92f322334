package nodeprep

import "testing"

// TestSystemdValue holds limits against the units of both files: limits.conf(5) and systemd.exec(5), "Process Properties".
func TestSystemdValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, login, want string }{
		{"memlock", "unlimited", "infinity"},
		{"memlock", "64", "65536"}, // KiB, bytes
		{"cpu", "60", "3600"},      // minutes, seconds
		{"nofile", "1048576", "1048576"},
	} {
		if got := systemdValue(c.name, c.login); got != c.want {
			t.Errorf("%s %s is %s, want %s", c.name, c.login, got, c.want)
		}
	}
}
