environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "gpu" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["p5.48xlarge"]
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" } # ERROR: Illegal MIG profile
}

node_pool "l4" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["g6.xlarge"]
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" } # ERROR: GPU without MIG
}

node_pool "fabric" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["p4d.24xlarge"]
  zone           = "usw2-az1"
  fabric         = "efa"
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" } # ERROR: Shared GPUs on a fabric
}

node_pool "mixed" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["p4d.24xlarge"]
  gpu_sharing    = { kind = "mig", replicas = 4 } # ERROR: Missing MIG profile # ERROR: Not for MIG
}

node_pool "cpu" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["m7i.xlarge"]
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" } # ERROR: Sharing without a GPU
}
