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

storage "s3" "checkpoints" {
  mount     = "write" # ERROR: Checkpoints written through a mount
  versioned = false   # ERROR: Checkpoints without versions
}

storage "s3" "weights" {
  checkpoints = { parameters = 70e9, every = "2h" } # ERROR: Checkpoints are kept for ever
}

storage "s3" "express" {
  express_zone = "use2-az1"
  mount        = "write"
  checkpoints  = { parameters = 70e9, every = "2h" }
}

storage "fsx_lustre" "small" {
  zone        = "use2-az1"
  size        = "2400GiB" # ERROR: No room for the checkpoints
  checkpoints = { parameters = 70e9, every = "2h", keep = 3, max_stall = "30m" }
}

storage "fsx_lustre" "slow" {
  zone        = "use2-az1"
  size        = "4800GiB"
  checkpoints = { parameters = 70e9, every = "2h" } # WARNING: Checkpoints take long
}

storage "fsx_lustre" "alone" {
  zone        = "use2-az1"
  size        = "24TiB"
  checkpoints = { parameters = 7e9, every = "2h", cross_zone = true } # ERROR: Checkpoints in one zone
}

storage "fsx_lustre" "right" {
  zone               = "use2-az1"
  size               = "9600GiB"
  throughput_per_tib = 1000
  efa                = true
  linked_to          = storage.weights
  checkpoints        = { parameters = 70e9, every = "2h", cross_zone = true }
}
