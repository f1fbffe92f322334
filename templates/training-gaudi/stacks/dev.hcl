# Gaudi training: DL1 instances, eight accelerators each, over EFA. EKS has no image for them, so one of your own is named.

variable "region" {
  default     = "us-west-2"
  description = "The AWS region; DL1 is offered in few."
}

variable "image" {
  default     = "ami-0123456789abcdef0"
  description = "Amazon Linux 2023 with nodeadm and the Habana driver: an image of your own, by its id."
}

locals {
  # The zone of the DL1s and a second one, by their ids: a name such as us-west-2a is another place in every account.
  zones_of = {
    us-east-1 = ["use1-az2", "use1-az1"]
    us-west-2 = ["usw2-az1", "usw2-az2"]
  }
  zones = lookup(local.zones_of, var.region, ["${var.region}a", "${var.region}b"])
}

environment "dev" {
  region             = var.region
  kubernetes_version = "1.35"
  budget_per_hour    = 80
  tags               = { project = "${PROJECT}" }
}

network {
  cidr  = "10.60.0.0/16"
  zones = local.zones
  nat   = "single"
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "dl1" {
  instance_types = ["dl1.24xlarge"]
  zone           = local.zones[0]
  size           = { min = 0, desired = 0, max = 4 }
  fabric         = "efa"
  ami            = var.image
  profile        = node_profile.gaudi-training
}
