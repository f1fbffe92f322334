# DL1 instances with EFA, and the remote networks that servers in a rack will join from.

environment "gaudi" {
  region             = "us-west-2"
  kubernetes_version = "1.35"
}

network {
  cidr  = "10.60.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]
  nat   = "single"

  remote {
    nodes = ["10.200.0.0/24"] # the rack's own network, reachable from the VPC
    pods  = ["10.201.0.0/16"]
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "dl1" {
  instance_types = ["dl1.24xlarge"]
  zone           = "usw2-az1"
  size           = { min = 0, desired = 2, max = 4 }
  fabric         = "efa"
  ami            = "ami-0123456789abcdef0" # EKS has no Gaudi image: one must be named
  profile        = node_profile.gaudi
}

node_profile "gaudi" {
  extends = "gaudi-training"
  roce    = { traffic_class = 106, priority = 3 } # congestion control is DCQCN, on the NIC
}
