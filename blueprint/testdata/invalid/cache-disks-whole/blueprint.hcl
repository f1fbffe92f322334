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
  local_storage  = "raw"
}

storage "s3" "data" {}

storage "local_nvme" "disks" {
  pool = node_pool.local
}

storage "local_nvme" "none" {
  pool = node_pool.cache # WARNING: Local volumes without local disks
}

cache "alluxio" "first" {
  source = storage.data
  warm   = storage.disks # ERROR: Warm tier on disks of claims
}

cache "alluxio" "second" {
  source = storage.data
  warm   = storage.none # WARNING: Warm tier on the root disk
}
