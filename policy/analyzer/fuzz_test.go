package analyzer

import (
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"
)

// FuzzDecode reads anything that can come over the wire as a resource. What is no resource is an error.
func FuzzDecode(f *testing.F) {
	for _, r := range requests() {
		src, err := proto.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var req pulumirpc.AnalyzeRequest
		if proto.Unmarshal(src, &req) != nil {
			return
		}
		if r, err := decode(&req); err == nil && describe(r) == "" {
			t.Error("a resource without a description")
		}
	})
}
