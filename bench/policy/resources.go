package main

import "fmt"

// resource is what is judged.
type resource struct {
	token, name string
	properties  map[string]any
}

// resources are a thousand: five kinds that a rule is about, right and wrong in turns, and two that none is about.
func resources() []resource {
	var all []resource
	for i := range 1000 {
		right := i/7%2 == 0
		r := resource{name: fmt.Sprintf("r%03d", i)}
		switch i % 7 {
		case 0:
			r.token, r.properties = "aws:ec2/launchTemplate:LaunchTemplate", template(right)
		case 1:
			r.token, r.properties = "aws:eks/addon:Addon", map[string]any{"clusterName": "train", "addonName": "vpc-cni"}
			if right {
				r.properties["addonVersion"] = "v1.20.4-eksbuild.1"
			}
		case 2:
			r.token, r.properties = "aws:iam/policy:Policy", map[string]any{"policy": document(right)}
		case 3:
			cidr := map[bool]string{true: "203.0.113.0/24", false: "0.0.0.0/0"}[right]
			r.token, r.properties = "aws:eks/cluster:Cluster", map[string]any{"name": "train", "version": "1.35",
				"vpcConfig": map[string]any{"endpointPublicAccess": true, "publicAccessCidrs": []any{cidr}, "subnetIds": []any{"subnet-1", "subnet-2"}}}
		case 4:
			image := map[bool]string{true: "registry.example/score@sha256:0f5d", false: "registry.example/score:latest"}[right]
			r.token, r.properties = "aws:lambda/function:Function", map[string]any{"packageType": "Image", "imageUri": image, "timeout": 60.0, "memorySize": 2048.0}
		case 5:
			r.token, r.properties = "aws:s3/bucketV2:BucketV2", map[string]any{"bucket": "checkpoints-" + r.name}
		case 6:
			r.token, r.properties = "aws:ec2/subnet:Subnet", map[string]any{"vpcId": "vpc-1", "cidrBlock": "10.0.0.0/20", "availabilityZoneId": "use2-az1"}
		}
		r.properties["tags"] = map[string]any{"team": "training", "environment": "prod", "Name": r.name}
		all = append(all, r)
	}
	return all
}

// template has the 32 network interfaces of p5.48xlarge: it is the largest resource of a training environment.
func template(right bool) map[string]any {
	var interfaces []any
	for card := range 32 {
		interfaces = append(interfaces, map[string]any{"networkCardIndex": float64(card), "deviceIndex": min(float64(card), 1), "interfaceType": "efa-only",
			"securityGroups": []any{"sg-1"}, "deleteOnTermination": "true"})
	}
	tokens := map[bool]string{true: "required", false: "optional"}[right]
	return map[string]any{"instanceType": "p5.48xlarge", "networkInterfaces": interfaces,
		"metadataOptions": map[string]any{"httpEndpoint": "enabled", "httpTokens": tokens, "httpPutResponseHopLimit": 1.0}}
}

func document(right bool) string {
	action := map[bool]string{true: "s3:GetObject", false: "*"}[right]
	return fmt.Sprintf(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"ecr:GetAuthorizationToken","Resource":"*"},`+
		`{"Effect":"Allow","Action":[%q],"Resource":["*"]}]}`, action)
}
