environment "data" {
  region = "us-west-2"
  tags   = { team = "data" }
}

network {
  cidr              = "10.20.0.0/16"
  zones             = ["usw2-az1", "usw2-az2", "usw2-az3"]
  nat               = "per_zone"
  private_endpoints = ["s3"]

  cluster_endpoint {
    public        = true
    allowed_cidrs = ["203.0.113.0/24"]
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 4 }
}

node_pool "disks" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
  local_storage  = "raw"
}

node_pool "loaders" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 1, desired = 2, max = 4 }
  local_storage  = "raid0"
  taints         = [{ key = "gpuyard.dev/role", value = "data-loading", effect = "NoSchedule" }]
}

storage "s3" "sets" {
  allow_data_loss = true
}

storage "ceph" "shared" {
  pool            = node_pool.disks
  snapshots       = { every = "6h", keep = 12 }
  allow_data_loss = true
}

storage "local_nvme" "warm" {
  pool = node_pool.loaders
}

cache "alluxio" "sets" {
  source  = storage.sets
  warm    = storage.warm
  memory  = "32GiB"
  preload = ["imagenet/"]
}
