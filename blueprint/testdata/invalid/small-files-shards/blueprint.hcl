environment "dev" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 2, max = 2 }
  fabric         = "efa"
}

storage "s3" "unknown" {
  small_files = "shard" # WARNING: Small files
}

storage "s3" "images" {
  objects     = 14000000
  object_size = "110KiB" # WARNING: Small files
}

storage "s3" "shards" {
  small_files = "shard"
  objects     = 1500
  object_size = "1GiB"
}

storage "s3" "few" {
  objects     = 100000
  object_size = "110KiB"
}
