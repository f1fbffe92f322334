package engine

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// SDKVersion returns the version of a provider that its Go SDK asks the engine for. register makes one resource of
// that SDK; the version is read off the registration, so it is typed nowhere and follows go.mod.
func SDKVersion(register func(*pulumi.Context) error) string {
	var m versionMock
	if err := pulumi.RunErr(register, pulumi.WithMocks("sim", "sim", &m)); err != nil {
		panic("engine: the SDK does not tell its version: " + err.Error())
	}
	return m.version
}

// versionMock is an engine that only listens for the version.
type versionMock struct{ version string }

func (m *versionMock) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	m.version = args.RegisterRPC.GetVersion()
	return args.Name, args.Inputs, nil
}

func (m *versionMock) Call(pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return resource.PropertyMap{}, nil
}
