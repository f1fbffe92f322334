environment "dev" {
  region          = "us-east-2"
  budget_per_hour = 500 # WARNING: Budget without a price
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["us-east-2a", "us-east-2b"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "gpu" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["trn2.48xlarge"]
}
