environment "dev" {
  region = "us-west-2"
}

node_pool "system" { # ERROR: Pool without a network
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
