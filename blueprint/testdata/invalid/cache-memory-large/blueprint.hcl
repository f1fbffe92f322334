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

storage "local_nvme" "warm" {
  pool = node_pool.local
}

cache "alluxio" "refused" {
  source = storage.data
  pool   = node_pool.cache
  memory = "48GiB" # ERROR: Cache larger than its nodes
}

cache "alluxio" "shrunk" {
  source = storage.data
  warm   = storage.warm
  memory = "128GiB" # WARNING: Cache larger than its nodes
}
