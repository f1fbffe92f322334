// Command gpuyard validates, explains and brings up GPU training clusters from one blueprint per environment.
//
// One command is one file. Every command is a thin shell: the blueprint is judged by package blueprint, planned by
// package stacks and brought up by the Pulumi engine; what is here is flags, words and exit codes.
package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/gpuyard/gpuyard/provider"
)

func main() { os.Exit(run()) }

// run executes the command line of the process and returns its exit code.
func run() int {
	switch filepath.Base(os.Args[0]) {
	case packName:
		return servePack()
	case provider.Executable:
		return serveProvider()
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	app := newApp(os.Stdout, os.Stderr)
	go app.onSignal(stop)
	return app.execute(ctx, os.Args[1:])
}

// onSignal ends the context at the first interrupt, so that the engine finishes what it is doing and writes it down,
// and abandons even that at the second.
func (a *app) onSignal(stop context.CancelFunc) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	if <-signals == syscall.SIGHUP {
		signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE) // the terminal is gone: nobody abandons anything, or reads the rest
	}
	a.interrupted.Store(true)
	a.say("\nInterrupted: finishing the operations that are under way, starting no others. Interrupt again to abandon them.\n")
	stop()
	for range signals {
		a.say("\nAbandoning. Run `gpuyard refresh` before the next `gpuyard up`.\n")
		if cli := a.cli.Load(); cli != nil {
			cli.Abandon()
		}
	}
}
