package main

import (
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/crypto/ssh"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// sshWorld is the SSH servers of one script.
type sshWorld struct {
	client  ssh.PublicKey
	servers map[string]*remotetest.Server
}

// sshhost starts an SSH server with a host behind it: `sshhost NAME DISTRIBUTION HARDWARE`. The host is the folder
// hosts/NAME, its address is in the variable NAME, the key that it lets in is the file key, and its own key is in
// ~/.ssh/known_hosts.
func sshhost(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: sshhost NAME DISTRIBUTION HARDWARE")
	}
	name := args[0]
	distribution, hardware := map[string]hosttest.Distribution{
		"ubuntu": hosttest.Ubuntu("24.04"), "debian": hosttest.Debian(), "amazon": hosttest.AmazonLinux(), "rocky": hosttest.Rocky(),
	}[args[1]], map[string]hosttest.Hardware{
		"server": hosttest.Server(), "h100": hosttest.H100(), "gaudi2": hosttest.Gaudi2(), "p5": hosttest.P5(),
	}[args[2]]
	h, err := hosttest.New(ts.MkAbs(filepath.Join("hosts", name)), distribution, hardware)
	ts.Check(err)
	world := ts.Value("ssh").(*sshWorld)
	if world.client == nil {
		world.client, err = remotetest.NewKey(ts.MkAbs("key"))
		ts.Check(err)
	}
	server, err := remotetest.NewServer(h, world.client)
	ts.Check(err)
	world.servers[name] = server
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	ts.Defer(func() {
		ts.Check(listener.Close())
		server.Close()
		ts.Check(<-served)
	})
	ts.Setenv(name, listener.Addr().String())
	record(ts, server.KnownHosts(listener.Addr().String()))
}

func record(ts *testscript.TestScript, line string) {
	path := ts.MkAbs(filepath.Join(".ssh", "known_hosts"))
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o700))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	_, err = f.WriteString(line)
	ts.Check(err)
	ts.Check(f.Close())
}

// sshfault makes a server do something wrong: `sshfault NAME newkey|sudo|hang|drop N`.
func sshfault(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sshfault NAME newkey|sudo|hang|drop [N]")
	}
	server := ts.Value("ssh").(*sshWorld).servers[args[0]]
	if server == nil {
		ts.Fatalf("there is no SSH host %s", args[0])
	}
	switch args[1] {
	case "newkey":
		ts.Check(server.ChangeKey())
	case "sudo":
		server.SetFaults(remotetest.Faults{SudoAsks: true})
	case "hang":
		server.SetFaults(remotetest.Faults{Hang: true})
	case "drop":
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		server.SetFaults(remotetest.Faults{DropAfter: n})
	case "none":
		server.SetFaults(remotetest.Faults{})
	default:
		ts.Fatalf("there is no fault %q", args[1])
	}
}

// hostfails makes a command of a host fail from now on: `hostfails NAME COMMAND TEXT`; an empty text mends it.
func hostfails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: hostfails NAME COMMAND TEXT")
	}
	server := ts.Value("ssh").(*sshWorld).servers[args[0]]
	if server == nil {
		ts.Fatalf("there is no SSH host %s", args[0])
	}
	ts.Check(server.Host.Fail(args[1], args[2]))
}
