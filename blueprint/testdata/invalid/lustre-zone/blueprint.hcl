environment "dev" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 2, max = 2 }
  fabric         = "efa"
}

storage "fsx_lustre" "far" {
  zone               = "use2-az2" # ERROR: File system in another zone than its fabric
  size               = "4800GiB"
  throughput_per_tib = 1000
  efa                = true
}

storage "fsx_lustre" "slow" {
  zone = "use2-az2" # WARNING: File system in another zone than its nodes
  size = "4800GiB"
}

storage "fsx_lustre" "right" {
  zone               = "use2-az1"
  size               = "4800GiB"
  throughput_per_tib = 1000
  efa                = true
}
