# One small GPU pool, the cheapest that trains: a 24 GB GPU at spot price.

variable "region" {
  default     = "us-west-2"
  description = "The AWS region."
}

locals {
  # Two zones that offer the types, by their ids: a name such as us-west-2a is another place in every account.
  zones_of = {
    ap-northeast-1 = ["apne1-az1", "apne1-az4"]
    ap-south-1     = ["aps1-az1", "aps1-az3"]
    ap-southeast-2 = ["apse2-az1", "apse2-az2"]
    ca-central-1   = ["cac1-az1", "cac1-az2"]
    eu-central-1   = ["euc1-az1", "euc1-az2"]
    eu-north-1     = ["eun1-az1", "eun1-az2"]
    eu-west-2      = ["euw2-az1", "euw2-az2"]
    sa-east-1      = ["sae1-az1", "sae1-az2"]
    us-east-1      = ["use1-az1", "use1-az2"]
    us-east-2      = ["use2-az1", "use2-az2"]
    us-west-2      = ["usw2-az1", "usw2-az2"]
  }
  zones = lookup(local.zones_of, var.region, ["${var.region}a", "${var.region}b"])
}

environment "dev" {
  region             = var.region
  kubernetes_version = "1.35"
  budget_per_hour    = 10 # USD at list price with every pool at its maximum; above it the plan is refused
  tags               = { project = "${PROJECT}" }
}

network {
  cidr  = "10.20.0.0/16"
  zones = local.zones
  nat   = "single"
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "gpu" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  profile        = node_profile.training

  capacity {
    kind = "spot"
  }
}
