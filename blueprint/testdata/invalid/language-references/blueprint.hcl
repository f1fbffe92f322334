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

storage "s3" "datasets" {}

storage "fsx_lustre" "scratch" {
  zone      = "usw2-az1"
  size      = "4800GiB"
  linked_to = storage.dataset # ERROR: Unknown reference
}

node_pool "gpu" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 0, desired = local.none, max = 2 } # ERROR: Unknown reference
  profile        = storage.datasets # ERROR: Wrong kind of reference
}

cache "alluxio" "datasets" {
  source = "datasets" # ERROR: Wrong kind of reference
  warm   = storage # ERROR: Incomplete reference
}

platform {
  scheduler = { kind = volcano } # ERROR: Unknown name
  tracking  = { artifacts = bucket.datasets } # ERROR: Unknown name
}

node_profile "mine" {
  sysctl = { "vm.swappiness" = storage.datasets } # ERROR: Wrong type
}
