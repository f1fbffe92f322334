environment "dev" {
  region = "us-east-1"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use1-az1", "use1-az2", "use1-az3"] # ERROR: Zone without EKS
}

node_pool "system" {
  instance_types = ["m6i.xlarge"] # WARNING: Instance type not offered in every zone
  size           = { min = 1, desired = 1, max = 2 }
}
