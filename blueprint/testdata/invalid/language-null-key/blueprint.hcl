environment "dev" {
  region = "us-west-2"
  tags   = { owner = null } # ERROR: Null value
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["us-west-2a", "us-west-2b"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
