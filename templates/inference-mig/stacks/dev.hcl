# A100 GPUs by turns: slices for inference by day, whole ones for training by night. Each has a pool of its own, whose
# timetable says when it has nodes.

variable "region" {
  default     = "us-east-1"
  description = "The AWS region."
}

variable "timezone" {
  default     = "Etc/UTC"
  description = "The time zone of the timetables."
}

variable "reservation" {
  default     = ""
  description = "Id of a capacity reservation in the first zone; without one, nodes are bought on demand."
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

  # A reservation is used by both pools, and is in one zone.
  kind        = var.reservation == "" ? "on_demand" : "reservation"
  reservation = var.reservation == "" ? null : var.reservation
  zone        = var.reservation == "" ? null : local.zones[0]
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
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

# Seven pods a GPU, each with a slice of its own: nvidia.com/mig-1g.5gb.
node_pool "inference" {
  instance_types = ["p4d.24xlarge"]
  zone           = local.zone
  size           = { min = 0, desired = 1, max = 2 }
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" }
  profile        = node_profile.inference

  schedules = [
    { name = "day", cron = "0 7 * * MON-FRI", timezone = var.timezone, desired = 1 },
    { name = "night", cron = "0 20 * * MON-FRI", timezone = var.timezone, desired = 0 },
  ]

  capacity {
    kind        = local.kind
    reservation = local.reservation
  }
}

# Whole GPUs, ten minutes after the machines of the other pool go, until ten minutes before they come back.
node_pool "training" {
  instance_types = ["p4d.24xlarge"]
  zone           = local.zone
  size           = { min = 0, desired = 0, max = 2 }
  labels         = { "gpuyard.dev/role" = "training" }
  profile        = node_profile.training

  schedules = [
    { name = "night", cron = "10 20 * * MON-FRI", timezone = var.timezone, desired = 1 },
    { name = "day", cron = "50 6 * * MON-FRI", timezone = var.timezone, desired = 0 },
  ]

  capacity {
    kind        = local.kind
    reservation = local.reservation
  }
}
