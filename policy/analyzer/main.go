package analyzer

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

// Main serves the pack that build makes until the engine ends the process. It is used as policyx.Main is, and like that
// prints the port that it listens at, so nothing else may be printed to standard output.
func Main(build func(*pulumi.Context) (policyx.PolicyPack, error)) error {
	gone := orphaned(os.Getppid())
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Init: func(s *grpc.Server) error {
		pulumirpc.RegisterAnalyzerServer(s, &server{build: build})
		return nil
	}})
	if err != nil {
		return fmt.Errorf("serving the policy pack: %w", err)
	}
	fmt.Println(handle.Port)
	select {
	case err := <-handle.Done:
		return err
	case <-gone:
		return errors.New("the engine is gone")
	}
}

// orphaned is closed when the parent, the engine, is gone without having ended this process, as when it was killed.
func orphaned(parent int) <-chan struct{} {
	gone := make(chan struct{})
	go func() {
		for os.Getppid() == parent {
			time.Sleep(time.Second)
		}
		close(gone)
	}()
	return gone
}
