environment "dev" {
  region = "us-west-2"
}

network { # ERROR: Empty list
  cidr  = "10.20.0.0/16"
  zones = []
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
