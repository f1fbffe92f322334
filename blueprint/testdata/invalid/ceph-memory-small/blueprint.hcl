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
  instance_types = ["m7i.large"]
  size           = { min = 3, desired = 3, max = 6 }
}

storage "ceph" "shared" {
  pool        = node_pool.disks # ERROR: Too little memory for Ceph
  volume_size = "500GiB"
}
