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

node_pool "block" {
  instance_types = ["p4d.24xlarge"]
  zone           = "usw2-az2"
  size = {
    min     = 1 # ERROR: Nodes before their time
    desired = 1
    max     = 2
  }
  capacity {
    kind        = "capacity_block"
    reservation = "cr-0123456789abcdef0"
    start       = "2026-12-01T11:30:00Z"
    end         = "2026-11-30T11:30:00Z" # ERROR: Illegal time
  }
}

node_pool "spot" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind  = "spot"
    start = "2026-12-01T11:30:00Z" # ERROR: Unused time
  }
}

node_pool "vague" {
  instance_types = ["p4d.24xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind        = "capacity_block"
    reservation = "cr-0123456789abcdef1"
    start       = "tomorrow" # ERROR: Illegal time
  }
}
