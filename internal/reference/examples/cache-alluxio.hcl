environment "train" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "loaders" {
  instance_types = ["i4i.8xlarge"]
  size           = { min = 1, desired = 2, max = 8 }
  local_storage  = "raid0"
}

storage "s3" "datasets" {}

storage "local_nvme" "warm" {
  pool = node_pool.loaders
}

# show
cache "alluxio" "datasets" {
  source  = storage.datasets
  warm    = storage.warm
  memory  = "16GiB"
  preload = ["imagenet/"]
}
# end
