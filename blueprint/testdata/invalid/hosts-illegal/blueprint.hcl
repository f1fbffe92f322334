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
  hosts {
    addresses = [
      "10.200.0.11",
      "node-12.rack.example.com",
      "10.200.1.13",  # ERROR: Host outside the remote networks
      "10.200.0.300", # ERROR: Illegal address
      "a_b",          # ERROR: Illegal address
      "10.200.0.11",  # ERROR: Duplicate host
    ]
    bastion = "ssh://jump" # ERROR: Illegal bastion
  }
}

node_pool "second" {
  hosts { addresses = ["node-12.rack.example.com"] } # ERROR: Duplicate host
}
