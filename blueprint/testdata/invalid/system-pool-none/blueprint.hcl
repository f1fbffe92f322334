environment "dev" {
  region = "us-west-2"
}

network { # WARNING: No pool for system pods
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "gpu" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["g6.xlarge"]
}

node_pool "tainted" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["m7i.xlarge"]
  taints         = [{ key = "role", effect = "NoSchedule" }]
}
