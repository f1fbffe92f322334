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

storage "s3" "few" {
  small_files = "shard"
  objects     = 10 # WARNING: Fewer shards than loaders
  object_size = "1GiB"
}

storage "s3" "small" {
  small_files    = "shard"
  objects        = 1000000 # WARNING: Fewer shards than loaders
  object_size    = "40KiB" # WARNING: Small files
  loader_workers = 4
}

storage "s3" "enough" {
  small_files    = "shard"
  objects        = 64
  object_size    = "1GiB"
  loader_workers = 4
}
