environment "train" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "train" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 0, max = 2 }
  fabric         = "efa"
}

storage "s3" "datasets" {}

# show
storage "fsx_lustre" "scratch" {
  zone               = "use2-az1"
  size               = "4800GiB"
  throughput_per_tib = 1000
  efa                = true
  linked_to          = storage.datasets
}
# end
