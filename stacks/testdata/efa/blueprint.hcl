# An on-demand p5 pool with EFA that grows by night, beside a CPU pool.
environment "train" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
  tags               = { team = "foundation-models" }
}

network {
  cidr  = "10.40.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
  nat   = "per_zone"

  cluster_endpoint {
    public        = true
    allowed_cidrs = ["203.0.113.0/24"]
  }
}

node_pool "system" {
  instance_types = ["m7i.2xlarge"]
  size           = { min = 3, desired = 3, max = 6 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 2, max = 4 }
  schedules = [
    { name = "night", cron = "0 20 * * MON-FRI", timezone = "America/New_York", desired = 4 },
    { name = "day", cron = "0 7 * * *", timezone = "America/New_York", desired = 0 },
  ]
  fabric         = "efa"
  local_storage  = "raid0"
  image_release  = "1.35.0-20261101"
  profile        = node_profile.training
}

node_profile "training" {
  extends          = "training"
  cpu_manager      = "static"
  topology_manager = "single-numa-node"
}
