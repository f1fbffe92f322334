# H100 training over EFA: p5 instances side by side in one zone, Lustre beside them, checkpoints in S3. The pool begins
# empty, since each node costs some 60 USD an hour.

variable "region" {
  default     = "us-east-2"
  description = "The AWS region."
}

variable "capacity_block" {
  default     = ""
  description = "Id of a purchased Capacity Block for ML; without one, nodes are bought on demand."
}

locals {
  # The zone of the H100s and a second one, by their ids: a name such as us-west-2a is another place in every account.
  zones_of = {
    ap-northeast-1 = ["apne1-az1", "apne1-az4"]
    ap-northeast-2 = ["apne2-az1", "apne2-az2"]
    ap-south-1     = ["aps1-az1", "aps1-az2"]
    ap-southeast-2 = ["apse2-az1", "apse2-az2"]
    ca-central-1   = ["cac1-az4", "cac1-az1"]
    eu-north-1     = ["eun1-az1", "eun1-az2"]
    eu-west-2      = ["euw2-az1", "euw2-az2"]
    sa-east-1      = ["sae1-az3", "sae1-az1"]
    us-east-1      = ["use1-az1", "use1-az2"]
    us-east-2      = ["use2-az1", "use2-az2"]
    us-west-1      = ["usw1-az1", "usw1-az3"]
    us-west-2      = ["usw2-az1", "usw2-az2"]
  }
  zones = lookup(local.zones_of, var.region, ["${var.region}a", "${var.region}b"])
}

environment "dev" {
  region             = var.region
  kubernetes_version = "1.35"
  budget_per_hour    = 600
  tags               = { project = "${PROJECT}" }
}

network {
  cidr              = "10.40.0.0/16"
  zones             = local.zones
  nat               = "per_zone"
  private_endpoints = ["s3", "ecr", "sts", "ec2", "eks"]
}

node_pool "system" {
  instance_types = ["m7i.2xlarge"]
  size           = { min = 2, desired = 2, max = 4 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = local.zones[0]
  size           = { min = 0, desired = 0, max = 4 }
  fabric         = "efa"
  local_storage  = "raid0"
  profile        = node_profile.training

  capacity {
    kind        = var.capacity_block == "" ? "on_demand" : "capacity_block"
    reservation = var.capacity_block == "" ? null : var.capacity_block
  }
}

storage "s3" "datasets" {
  mount = "read" # pods see the objects as files, by the claim `datasets`
}

storage "s3" "checkpoints" {
  versioned    = true
  expire_after = "30d"
}

storage "fsx_lustre" "scratch" {
  zone               = local.zones[0]
  size               = "4800GiB"
  throughput_per_tib = 1000
  efa                = true
  linked_to          = storage.datasets
}
