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
  instance_types = ["g6.xlarge"]
  gpu_sharing    = { kind = "time_slicing", profile = "1g.5gb" } # ERROR: Only for MIG # ERROR: Missing replicas
}

node_pool "neuron" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["trn1.2xlarge"]
  zone           = "usw2-az1"
  gpu_sharing    = { kind = "mps", replicas = 4 } # ERROR: Sharing without a GPU
}

node_pool "one" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["g6.xlarge"]
  gpu_sharing    = { kind = "mps", replicas = 1 } # ERROR: Illegal value
}
