# show
locals {
  zones      = ["use2-az1", "use2-az2", "use2-az3"]
  train_zone = local.zones[0]
}
# end

environment "train" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = local.zones
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "train" {
  instance_types = ["p5.48xlarge"]
  zone           = local.train_zone
  size           = { min = 0, desired = 0, max = 2 }
  fabric         = "efa"
}
