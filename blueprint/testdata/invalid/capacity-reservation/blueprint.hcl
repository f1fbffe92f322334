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
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["p4d.24xlarge", "p4de.24xlarge"] # ERROR: Several types in a Capacity Block # ERROR: Accelerators mixed
  zone           = "usw2-az1"
  capacity { kind = "capacity_block" } # ERROR: Missing reservation
}

node_pool "unused" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["g6.xlarge"]
  capacity { reservation = "cr-0123456789abcdef0" } # ERROR: Unused reservation
}

node_pool "illegal" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["g6.xlarge"]
  zone           = "usw2-az1"
  capacity {
    kind        = "reservation"
    reservation = "my reservation" # ERROR: Illegal reservation
  }
}
