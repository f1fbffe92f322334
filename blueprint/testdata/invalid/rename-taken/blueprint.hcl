environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "gpu" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  renamed_from   = "system" # ERROR: Former name in use
}

node_pool "one" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  renamed_from   = "old"
}

node_pool "two" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  renamed_from   = "old" # ERROR: Former name in use
}
