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
  instance_types = ["dl1.24xlarge"] # ERROR: No image for accelerator
  zone           = "usw2-az1"
}

node_pool "amd" {
  size = { min = 0, desired = 1, max = 2 }
  instance_types = ["g4ad.xlarge"] # ERROR: Accelerator not supported
}
