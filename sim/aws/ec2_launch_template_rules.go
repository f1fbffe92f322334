package aws

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// place is where an interface of a template sits. Index 0 is what EC2 takes when a template gives none.
type place struct{ card, device int }

func (p place) String() string { return fmt.Sprintf("card %d, device %d", p.card, p.device) }

// nic is one interface of a template.
type nic struct {
	path string
	kind string
	at   place
	in   engine.Props
}

func (n nic) isEFA() bool { return n.kind == "efa" || n.kind == "efa-only" }

func interfacesOf(template engine.Props) []nic {
	var all []nic
	for _, l := range template.Leaves("networkInterfaces[*]") {
		if !l.Value.IsObject() {
			continue
		}
		in := engine.Props(l.Value.ObjectValue())
		n := nic{path: l.Path, kind: in.Str("interfaceType"), in: in}
		n.at.card, _ = in.Int("networkCardIndex")
		n.at.device, _ = in.Int("deviceIndex")
		if n.kind == "" && !in.Unknown("interfaceType") {
			n.kind = "interface"
		}
		all = append(all, n)
	}
	return all
}

const interfaceSource = "EC2 User Guide, \"EFA interfaces\" and \"Network cards\""

var interfacePlaces = engine.Rule{
	Name: "interface-places", Says: "no two interfaces share a card and device index, and one sits at card 0, device 0", Source: interfaceSource,
	Judge: func(c *engine.Call) error {
		var errs []error
		seen := map[place]string{}
		nics := interfacesOf(c.In)
		for _, n := range nics {
			if other := seen[n.at]; other != "" {
				errs = append(errs, &engine.Error{Path: n.path, Code: "InvalidParameterValue", Message: n.at.String() + " is taken by " + other})
			}
			seen[n.at] = n.path
		}
		if len(nics) > 0 && seen[place{}] == "" {
			errs = append(errs, engine.Invalid("networkInterfaces", "no interface sits at card 0, device 0; the primary interface is required"))
		}
		return errors.Join(errs...)
	},
}

var oneEFAPerCard = engine.Rule{
	Name: "one-efa-per-card", Says: "a network card carries one EFA", Source: interfaceSource,
	Judge: func(c *engine.Call) error {
		var errs []error
		seen := map[int]string{}
		for _, n := range interfacesOf(c.In) {
			if !n.isEFA() {
				continue
			}
			if other := seen[n.at.card]; other != "" {
				errs = append(errs, &engine.Error{Path: n.path, Code: "InvalidParameterCombination",
					Message: fmt.Sprintf("network card %d carries the EFA of %s already; a card takes one", n.at.card, other)})
			}
			seen[n.at.card] = n.path
		}
		return errors.Join(errs...)
	},
}

var efaOnlyNotPrimary = engine.Rule{
	Name: "efa-only-not-primary", Says: "the interface at card 0, device 0 is not EFA-only: it needs an IP address", Source: interfaceSource,
	Judge: func(c *engine.Call) error {
		for _, n := range interfacesOf(c.In) {
			if n.kind == "efa-only" && n.at == (place{}) {
				return &engine.Error{Path: n.path + ".interfaceType", Code: "InvalidParameterCombination",
					Message: "an EFA-only interface cannot be the primary one; use interface or efa at card 0, device 0"}
			}
		}
		return nil
	},
}

var noPublicAddress = engine.Rule{
	Name: "no-public-address", Says: "no public address with several interfaces, and none on an EFA-only interface", Source: "EC2 API, RunInstances (associatePublicIpAddress)",
	Judge: func(c *engine.Call) error {
		nics := interfacesOf(c.In)
		for _, n := range nics {
			if n.in.Str("associatePublicIpAddress") == "true" && (len(nics) > 1 || n.kind == "efa-only") {
				return &engine.Error{Path: n.path + ".associatePublicIpAddress", Code: "InvalidParameterCombination",
					Message: "The associatePublicIPAddress parameter cannot be specified when launching with multiple network interfaces; use a private subnet with a NAT gateway"}
			}
		}
		return nil
	},
}

func (a Account) interfaceGroups() engine.Rule {
	limit := a.limit("interface-groups")
	return engine.Rule{
		Name: "groups-per-interface", Says: fmt.Sprintf("an interface has at most %d security groups", limit), Source: vpcQuotas,
		Judge: func(c *engine.Call) error {
			var errs []error
			judge := func(path string, n int) {
				if n > limit {
					errs = append(errs, &engine.Error{Path: path, Code: "SecurityGroupsPerInterfaceLimitExceeded", Message: fmt.Sprintf("got %d groups, at most %d are allowed", n, limit)})
				}
			}
			judge("vpcSecurityGroupIds", len(c.In.Leaves("vpcSecurityGroupIds[*]")))
			for _, n := range interfacesOf(c.In) {
				judge(n.path+".securityGroups", len(n.in.Leaves("securityGroups[*]")))
			}
			return errors.Join(errs...)
		},
	}
}

var templateTags = engine.Rule{
	Name: "template-tags", Says: "`tagSpecifications` names no resource type twice", Source: "EC2 API, CreateLaunchTemplate",
	Judge: func(c *engine.Call) error {
		seen := map[string]bool{}
		for _, kind := range c.In.Strs("tagSpecifications[*].resourceType") {
			if seen[kind] {
				return engine.Invalid("tagSpecifications", "got %s twice; put all its tags into one", kind)
			}
			seen[kind] = true
		}
		return nil
	},
}

var volumes = engine.Rule{
	Name: "volume-limits", Says: "a gp3 volume has 1 to 65536 GiB, 3000 to 80000 IOPS and 125 to 2000 MiB/s", Source: "EBS User Guide, \"General Purpose SSD volumes\"",
	Judge: func(c *engine.Call) error {
		var errs []error
		limits := map[string][2]int{"volumeSize": {1, 65536}, "iops": {3000, 80000}, "throughput": {125, 2000}}
		for _, l := range c.In.Leaves("blockDeviceMappings[*].ebs") {
			ebs := engine.Props(l.Value.ObjectValue())
			if ebs.Str("volumeType") != "gp3" {
				continue
			}
			for _, name := range []string{"volumeSize", "iops", "throughput"} {
				if n, ok := ebs.Int(name); ok && (n < limits[name][0] || n > limits[name][1]) {
					errs = append(errs, engine.Invalid(l.Path+"."+name, "got %d, wanted %d to %d", n, limits[name][0], limits[name][1]))
				}
			}
		}
		return errors.Join(errs...)
	},
}

var userData = engine.Rule{
	Name: "user-data", Says: "`userData` is base64 text of at most 16 KiB, and MIME that parses when it claims to be MIME", Source: "EC2 User Guide, \"Run commands when you launch an EC2 instance with user data input\"",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("userData")
		if text == "" {
			return nil
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return &engine.Error{Path: "userData", Code: "InvalidUserData.Malformed", Message: "Invalid BASE64 encoding of user data: encode it with base64, without line breaks"}
		}
		if len(data) > 16<<10 {
			return &engine.Error{Path: "userData", Code: "InvalidParameterValue", Message: fmt.Sprintf("User data is limited to 16384 bytes, got %d", len(data))}
		}
		if !isMIME(data) {
			return nil
		}
		if _, err := mimeParts(data); err != nil {
			return engine.Invalid("userData", "does not parse as MIME: %v", err)
		}
		return nil
	},
}

func isMIME(data []byte) bool {
	head := strings.ToLower(string(data[:min(len(data), 200)]))
	return strings.HasPrefix(head, "mime-version:") || strings.HasPrefix(head, "content-type: multipart/")
}

// part is one part of MIME user data.
type part struct{ mediaType, body string }

// mimeParts reads multi-part MIME user data.
func mimeParts(data []byte) ([]part, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(kind, "multipart/") {
		return nil, fmt.Errorf("the content type is %s, wanted multipart/mixed", kind)
	}
	var parts []part
	for reader := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := reader.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		t, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", len(parts), err)
		}
		if !slices.Contains(partTypes, t) {
			return nil, fmt.Errorf("part %d has the type %s, wanted %s", len(parts), t, nearOrAll(t, partTypes))
		}
		parts = append(parts, part{t, string(body)})
	}
	if len(parts) == 0 {
		return nil, errors.New("it has no parts")
	}
	return parts, nil
}

// partTypes are the parts that an EKS node understands.
// Source: EKS AL2023 AMI, nodeadm documentation; cloud-init, "User data formats".
var partTypes = []string{"application/node.eks.aws", "text/x-shellscript", "text/cloud-config", "text/cloud-boothook"}
