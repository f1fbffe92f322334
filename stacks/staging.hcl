# What prod is, small: the same kinds of pool and the same network, on demand, and one node of each at most.

environment "staging" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
  budget_per_hour    = 120

  tags = { team = "foundation-models", environment = "staging" }
}

network {
  cidr              = "10.50.0.0/16"
  zones             = ["use2-az1", "use2-az2"]
  nat               = "single"
  private_endpoints = ["s3", "ecr", "sts", "ec2", "eks", "logs"]
  flow_logs         = true

  cni { kind = "cilium" }
}

node_pool "system" {
  instance_types = ["m7i.xlarge", "m6i.xlarge"]
  size           = { min = 2, desired = 2, max = 4 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 0, max = 1 }
  fabric         = "efa"
  local_storage  = "raid0"
  profile        = node_profile.training
}

node_pool "inference" {
  instance_types = ["p4d.24xlarge"]
  zone           = "use2-az2"
  size           = { min = 0, desired = 0, max = 1 }
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" }
}

node_profile "training" {
  extends          = "training"
  cpu_manager      = "static"
  topology_manager = "single-numa-node"
}
