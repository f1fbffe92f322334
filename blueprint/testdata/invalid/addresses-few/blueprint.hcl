environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/21" # ERROR: Too few addresses
  zones = ["usw2-az1", "usw2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "gpu" {
  size = { min = 0, desired = 1, max = 3 }
  instance_types = ["p4d.24xlarge"]
  zone           = "usw2-az2"
  fabric         = "efa"
}
