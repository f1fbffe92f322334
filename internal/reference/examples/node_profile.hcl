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

# show
node_profile "tuned" {
  extends               = "training"
  transparent_hugepages = "never"
  hugepages             = { "2Mi" = 5128 }
  cpu_manager           = "static"
  topology_manager      = "single-numa-node"
  sysctl                = { "net.core.somaxconn" = 4096 }
  limits                = { memlock = "unlimited" }
}
# end

node_pool "train" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 0, max = 2 }
  fabric         = "efa"
  profile        = node_profile.tuned
}
