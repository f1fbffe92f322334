# H100 training with EFA on a Capacity Block, spot for the elastic part, a CPU pool that only loads data, slices of A100 for
# inference, and data in tiers: hot in a cache, warm on local disks, cold in buckets, with Lustre and Ceph beside the GPUs.
# The id of the Capacity Block is configuration of the stack:
#
#   pulumi config set capacity_block cr-0123456789abcdef0 --stack prod

variable "environment" {
  type    = string
  default = "prod"
}

variable "capacity_block" {
  type        = string
  description = "Id of the purchased Capacity Block reservation."
}

locals {
  train_zone = "use2-az1" # a reservation is zonal: so is everything that talks to it
}

environment "prod" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
  protect            = true # destroy refuses until this is false
  budget_per_hour    = 1500

  tags = { team = "foundation-models", environment = var.environment }
}

network {
  cidr              = "10.40.0.0/16"
  zones             = ["use2-az1", "use2-az2", "use2-az3"] # zone ids and zone names both work
  nat               = "per_zone"
  private_endpoints = ["s3", "ecr", "sts", "ec2", "eks", "logs"]

  cluster_endpoint {
    public        = false
    allowed_cidrs = []
  }

  cni { kind = "cilium" } # chained to the VPC CNI, so that EFA keeps its addresses
}

node_pool "system" {
  instance_types = ["m7i.2xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
}

node_pool "loaders" {
  instance_types = ["c7i.8xlarge"]
  size           = { min = 0, desired = 4, max = 32 }
  labels         = { "gpuyard.dev/role" = "data-loading" }
  taints         = [{ key = "gpuyard.dev/role", value = "data-loading", effect = "NoSchedule" }]
  profile        = node_profile.loading
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = local.train_zone
  size           = { min = 0, desired = 16, max = 16 }
  fabric         = "efa"
  local_storage  = "raid0"
  profile        = node_profile.training

  capacity {
    kind        = "capacity_block"
    reservation = var.capacity_block
  }
}

node_pool "elastic" {
  instance_types = ["p4d.24xlarge"]
  zone           = "use2-az2"
  size           = { min = 0, desired = 0, max = 8 }
  fabric         = "efa"
  local_storage  = "raid0"
  capacity { kind = "spot" }
  profile = node_profile.training
}

node_pool "storage" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 3, desired = 3, max = 6 } # one a zone; never spot, never zero
  local_storage  = "raw"                             # no file system: the ceph store takes the disks
}

node_pool "inference" {
  instance_types = ["p4d.24xlarge"]
  size           = { min = 1, desired = 1, max = 4 }
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" } # seven slices a GPU
  profile        = node_profile.training
}

node_profile "training" {
  extends = "training"

  nvidia_driver         = "580.95.05"
  transparent_hugepages = "never"
  hugepages             = { "2Mi" = 5128 }
  cpu_manager           = "static"
  topology_manager      = "single-numa-node"

  sysctl = {
    "net.core.somaxconn" = 4096
    "fs.file-max"        = 1000000
  }

  limits = { nofile = 500000, memlock = "unlimited" }

  nccl = { algo = "Ring,Tree" }
}

node_profile "loading" {
  extends     = "data-loading"
  cpu_manager = "static"
}

storage "s3" "datasets" {
  tier        = "cold"
  small_files = "shard" # warn unless the loader reads tar shards of about 1 GB
}

storage "s3" "checkpoints" {
  expire_after = "30d"
}

storage "fsx_lustre" "scratch" {
  zone               = local.train_zone
  size               = "12TiB"
  throughput_per_tib = 1000
  efa                = true
  linked_to          = storage.datasets
}

storage "ceph" "shared" {
  pool      = node_pool.storage
  replicas  = 3
  snapshots = { every = "6h", keep = 12 }
}

storage "local_nvme" "warm" {
  pool = node_pool.loaders
  tier = "warm"
}

cache "alluxio" "datasets" {
  tier    = "hot"
  source  = storage.datasets
  warm    = storage.warm
  memory  = "64GiB"
  preload = ["imagenet/", "coco/"]
}
