environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/28" # ERROR: Illegal size of network
  zones = ["usw2-az1", "usw2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
