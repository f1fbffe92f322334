environment "dev" {
  regoin = "us-west-2" # ERROR: Unknown argument
  region = "us-west-2"

  endpoint {} # ERROR: Unknown block
}

netwrk {} # ERROR: Unknown block

budget = 5 # ERROR: Unknown argument

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "gpu" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 0, desired = 1, max = 2, maximum = 3 } # ERROR: Unknown argument
  capacity { knd = "spot" } # ERROR: Unknown argument
}

platform {
  training = { elastic = { min_nodes = 1, max_nodes = 2, nodes = 3 } } # ERROR: Unknown argument
}
