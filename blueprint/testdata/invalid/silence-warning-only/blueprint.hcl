# The warning of spot-fabric is left out; the error of the same name cannot be.
environment "dev" {
  region  = "us-west-2"
  silence = ["spot-fabric", "single-zone", "local-storage"]
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
  instance_types = ["p4d.24xlarge"]
  fabric         = "efa" # ERROR: Fabric over several zones
  capacity { kind = "spot" }
}
