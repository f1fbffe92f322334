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

node_pool "cache" {
  instance_types = ["m7i.4xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
}

node_pool "local" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
  local_storage  = "raid0"
}

storage "s3" "data" {}

storage "s3" "apart" {
  mount = "none"
}

storage "local_nvme" "warm" {
  pool = node_pool.local
}

cache "alluxio" "cold" {
  source = storage.apart # ERROR: Cache of what pods cannot mount
  pool   = node_pool.cache
}

cache "alluxio" "split" {
  source = storage.data
  pool   = node_pool.cache # ERROR: Tiers on different nodes
  warm   = storage.warm
}

cache "alluxio" "bucket" {
  source = storage.data
  pool   = node_pool.cache
  warm   = storage.data # ERROR: Warm tier without local disks
}
