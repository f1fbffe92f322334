# Servers of one's own: prepared over SSH, and joined to an EKS cluster as hybrid nodes. The inventory is the list of
# addresses at the end.

variable "region" {
  default     = "us-west-2"
  description = "The AWS region of the control plane."
}

variable "user" {
  default     = "ubuntu"
  description = "The user to log in as; it needs sudo without a password."
}

locals {
  # Two zones, by their ids: a name such as us-west-2a is another place in every account.
  zones_of = {
    ap-northeast-1 = ["apne1-az1", "apne1-az2"]
    ap-southeast-2 = ["apse2-az1", "apse2-az2"]
    eu-central-1   = ["euc1-az1", "euc1-az2"]
    eu-west-1      = ["euw1-az1", "euw1-az2"]
    us-east-1      = ["use1-az1", "use1-az2"]
    us-east-2      = ["use2-az1", "use2-az2"]
    us-west-2      = ["usw2-az1", "usw2-az2"]
  }
  zones = lookup(local.zones_of, var.region, ["${var.region}a", "${var.region}b"])
}

environment "dev" {
  region             = var.region
  kubernetes_version = "1.35"
  budget_per_hour    = 10
  tags               = { project = "${PROJECT}" }
}

network {
  cidr  = "10.60.0.0/16"
  zones = local.zones
  nat   = "single"

  remote {
    nodes = ["10.200.0.0/24"] # the rack's own network, which a VPN or Direct Connect joins to the VPC
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "rack" {
  accelerator = { kind = "gaudi2", count = 8 }
  fabric      = "roce"
  profile     = node_profile.rack

  hosts {
    addresses = ["10.200.0.11", "10.200.0.12"]
    user      = var.user
  }
}

node_profile "rack" {
  extends = "gaudi-training"
  roce    = { traffic_class = 106, priority = 3 } # as the switches of the rack are configured
}
