environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.1.0/16" # ERROR: Illegal network
  zones = ["usw2-az1", "usw2-az2"]

  cluster_endpoint {
    public = true
    allowed_cidrs = [
      "203.0.113.0/24",
      "fd00::/8",  # ERROR: Illegal network
      "everybody", # ERROR: Illegal network
    ]
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
