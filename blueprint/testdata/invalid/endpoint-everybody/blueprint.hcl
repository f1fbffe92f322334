environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]

  cluster_endpoint {
    public        = true
    allowed_cidrs = ["0.0.0.0/0"] # ERROR: Public endpoint for everybody
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
