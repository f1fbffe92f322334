environment "dev" {
  region = "eu-west-1"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["eu-west-1a", "eu-west-1b"]
}

node_pool "system" {
  instance_types = ["m6i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "gpu" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["dl1.24xlarge"] # ERROR: Instance type not offered in region
  ami            = "ami-0123456789abcdef0"
}
