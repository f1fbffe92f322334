# The five rules, for Open Policy Agent. The input is one resource: {"type": …, "properties": {…}}.
package gpuyard

import rego.v1

findings contains "imdsv2-required" if {
	input.type in {"aws:ec2/launchTemplate:LaunchTemplate", "aws:ec2/instance:Instance"}
	object.get(input.properties, ["metadataOptions", "httpTokens"], "optional") != "required"
	object.get(input.properties, ["metadataOptions", "httpEndpoint"], "enabled") != "disabled"
}

findings contains "addon-version-pinned" if {
	input.type == "aws:eks/addon:Addon"
	object.get(input.properties, "addonVersion", "") == ""
}

findings contains "iam-admin-statement" if {
	input.type in {
		"aws:iam/policy:Policy", "aws:iam/rolePolicy:RolePolicy", "aws:iam/userPolicy:UserPolicy",
		"aws:iam/groupPolicy:GroupPolicy", "aws:iam/role:Role",
	}
	some document in documents
	some statement in listed(json.unmarshal(document).Statement)
	statement.Effect == "Allow"
	some action in listed(statement.Action)
	action in {"*", "*:*"}
	"*" in listed(statement.Resource)
}

documents contains input.properties.policy

documents contains inline.policy if some inline in input.properties.inlinePolicies

listed(value) := value if is_array(value)

listed(value) := [value] if not is_array(value)

findings contains "cluster-endpoint-public" if {
	input.type == "aws:eks/cluster:Cluster"
	config := input.properties.vpcConfig
	object.get(config, "endpointPublicAccess", true)
	open_to_all(object.get(config, "publicAccessCidrs", []))
}

open_to_all(cidrs) if count(cidrs) == 0

open_to_all(cidrs) if {
	some cidr in cidrs
	cidr in {"0.0.0.0/0", "::/0"}
}

findings contains "lambda-image-digest" if {
	input.type == "aws:lambda/function:Function"
	object.get(input.properties, "packageType", "Zip") == "Image"
	image := object.get(input.properties, "imageUri", "")
	image != ""
	not contains(image, "@sha256:")
}
