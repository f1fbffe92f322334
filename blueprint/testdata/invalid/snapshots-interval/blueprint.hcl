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

node_pool "disks" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
  local_storage  = "raw"
}

storage "ceph" "shared" {
  pool = node_pool.disks
  snapshots = {
    every      = "5h" # ERROR: Interval without a schedule
    keep       = 3
    namespaces = ["default", "My Jobs"] # ERROR: Illegal namespace
  }
}
