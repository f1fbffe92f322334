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

storage "fsx_lustre" "rounded" {
  zone               = "use2-az1"
  size               = "12TiB" # WARNING: File system much larger than wanted
  throughput_per_tib = 125
  efa                = true
}

storage "fsx_lustre" "doubled" {
  zone = "use2-az1"
  size = "1201GiB"
}

storage "fsx_lustre" "slip" {
  zone = "use2-az1"
  size = "3PiB" # ERROR: File system too large
}

storage "fsx_lustre" "small" {
  zone = "use2-az1"
  size = "1TiB" # ERROR: Illegal value
}
