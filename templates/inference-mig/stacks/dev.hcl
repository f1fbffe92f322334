# Inference on slices of A100 GPUs, and training on whole ones. Both pools can be empty: let an autoscaler grow inference by
# day and training by night, or change the sizes here.

variable "region" {
  default     = "us-east-1"
  description = "The AWS region."
}

locals {
  # Two zones that offer the types, by their ids: a name such as us-west-2a is another place in every account.
  zones_of = {
    ap-northeast-1 = ["apne1-az1", "apne1-az4"]
    ap-northeast-2 = ["apne2-az2", "apne2-az4"]
    ap-south-1     = ["aps1-az1", "aps1-az2"]
    ap-southeast-2 = ["apse2-az1", "apse2-az2"]
    ca-central-1   = ["cac1-az1", "cac1-az2"]
    eu-central-1   = ["euc1-az1", "euc1-az2"]
    eu-west-2      = ["euw2-az2", "euw2-az3"]
    us-east-1      = ["use1-az1", "use1-az2"]
    us-east-2      = ["use2-az1", "use2-az2"]
    us-west-2      = ["usw2-az1", "usw2-az2"]
  }
  zones = lookup(local.zones_of, var.region, ["${var.region}a", "${var.region}b"])
}

environment "dev" {
  region             = var.region
  kubernetes_version = "1.35"
  budget_per_hour    = 150
  tags               = { project = "${PROJECT}" }
}

network {
  cidr  = "10.80.0.0/16"
  zones = local.zones
  nat   = "single"
}

node_pool "system" {
  instance_types = ["m7i.xlarge", "m6i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

# Seven pods a GPU, each with a slice of its own: nvidia.com/mig-1g.5gb.
node_pool "inference" {
  instance_types = ["p4d.24xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" }
  profile        = node_profile.inference
}

# Whole GPUs, by night.
node_pool "training" {
  instance_types = ["p4d.24xlarge"]
  size           = { min = 0, desired = 0, max = 2 }
  labels         = { "gpuyard.dev/role" = "training" }
  profile        = node_profile.training
}
