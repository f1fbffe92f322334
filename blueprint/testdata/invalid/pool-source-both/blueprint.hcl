environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]
  remote { nodes = ["10.200.0.0/24"] }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "rack" {
  instance_types = ["m7i.xlarge"] # ERROR: Only for EC2
  size           = { min = 1, desired = 1, max = 1 } # ERROR: Only for EC2
  zone           = "usw2-az1" # ERROR: Only for EC2
  root_volume    = "200GiB" # ERROR: Only for EC2
  capacity { kind = "on_demand" } # ERROR: Only for EC2
  hosts { addresses = ["10.200.0.11"] }
}
