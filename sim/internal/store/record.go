package store

import (
	"encoding/json"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
)

// Record is one resource that exists in the cloud.
type Record struct {
	Provider string // aws, kubernetes
	Token    string // aws:ec2/vpc:Vpc
	ID       string
	URN      string // the Pulumi resource it was made for; empty for what the cloud made by itself
	Region   string // where it lives; empty where its provider has no regions
	Lost     bool   // made by an operation whose answer was lost, so that nobody may know of it
	Owner    string // the id of the resource it came with and goes with, such as a VPC's default security group
	Inputs   resource.PropertyMap
	Outputs  resource.PropertyMap
}

// recordJSON is the form of a Record on disk. Properties are in the engine's wire form, which keeps secrets and assets.
type recordJSON struct {
	Provider, Token, ID string
	URN                 string `json:",omitempty"`
	Region              string `json:",omitempty"`
	Owner               string `json:",omitempty"`
	Lost                bool   `json:",omitempty"`
	Inputs, Outputs     json.RawMessage
}

var wire = plugin.MarshalOptions{KeepSecrets: true, KeepResources: true}

func encode(r *Record) ([]byte, error) {
	out := recordJSON{Provider: r.Provider, Token: r.Token, ID: r.ID, URN: r.URN, Region: r.Region, Owner: r.Owner, Lost: r.Lost}
	var err error
	if out.Inputs, err = encodeProps(r.Inputs); err != nil {
		return nil, fmt.Errorf("inputs of %s %s: %w", r.Token, r.ID, err)
	}
	if out.Outputs, err = encodeProps(r.Outputs); err != nil {
		return nil, fmt.Errorf("outputs of %s %s: %w", r.Token, r.ID, err)
	}
	return json.Marshal(out)
}

func decode(data []byte) (*Record, error) {
	var in recordJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	r := &Record{Provider: in.Provider, Token: in.Token, ID: in.ID, URN: in.URN, Region: in.Region, Owner: in.Owner, Lost: in.Lost}
	var err error
	if r.Inputs, err = decodeProps(in.Inputs); err != nil {
		return nil, fmt.Errorf("inputs of %s %s: %w", r.Token, r.ID, err)
	}
	if r.Outputs, err = decodeProps(in.Outputs); err != nil {
		return nil, fmt.Errorf("outputs of %s %s: %w", r.Token, r.ID, err)
	}
	return r, nil
}

func encodeProps(props resource.PropertyMap) (json.RawMessage, error) {
	s, err := plugin.MarshalProperties(props, wire)
	if err != nil {
		return nil, err
	}
	return protojson.Marshal(s)
}

func decodeProps(data json.RawMessage) (resource.PropertyMap, error) {
	var s structpb.Struct
	if err := protojson.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return plugin.UnmarshalProperties(&s, wire)
}
