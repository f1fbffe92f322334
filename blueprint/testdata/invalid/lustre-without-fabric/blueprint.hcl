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

node_pool "gpu" {
  instance_types = ["g6.xlarge"]
  zone           = "use2-az1"
  size           = { min = 1, desired = 1, max = 2 }
  os             = "bottlerocket"
}

storage "fsx_lustre" "scratch" {
  zone               = "use2-az1" # WARNING: Lustre on Bottlerocket
  size               = "4800GiB"
  throughput_per_tib = 1000
  efa                = true # ERROR: EFA without a pool that has it
}
