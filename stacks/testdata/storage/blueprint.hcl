# Buckets of every kind, and a Lustre file system that H100 nodes reach over EFA.
environment "train" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
  tags               = { team = "foundation-models" }
}

network {
  cidr  = "10.40.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
  nat   = "per_zone"
}

node_pool "system" {
  instance_types = ["m7i.2xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 2, max = 4 }
  fabric         = "efa"
  local_storage  = "raid0"
}

storage "s3" "datasets" {
  objects     = 1500
  object_size = "1GiB"
}

storage "s3" "checkpoints" {
  expire_after = "30d"
  mount        = "none"
  checkpoints  = { parameters = 70e9, every = "2h" }
}

storage "s3" "fast" {
  express_zone    = "use2-az1"
  mount           = "write"
  allow_data_loss = true
}

storage "fsx_lustre" "scratch" {
  zone               = "use2-az1"
  size               = "12TiB"
  throughput_per_tib = 1000
  efa                = true
  linked_to          = storage.datasets
  checkpoints        = { parameters = 70e9, every = "2h", cross_zone = true }
}
