environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]

  remote {
    nodes = ["10.200.0.0/24"]
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "rack" {
  accelerator = { kind = "h100", count = 8 }

  hosts {
    addresses = ["10.200.0.11", "10.200.0.12", "10.200.0.13"]
  }
}

storage "ceph" "shared" {
  pool = node_pool.rack # ERROR: Disks without names
}
