environment "train" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

storage "s3" "artifacts" {}

# show
platform {
  scheduler = { kind = "kueue" }
  training  = { kubeflow = true }
  tracking  = { mlflow = true, artifacts = storage.artifacts }
}
# end
