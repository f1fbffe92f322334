environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]

  remote {
    nodes = [
      "10.200.0.0/24",
      "10.20.128.0/24", # ERROR: Networks overlap
      "198.51.100.0/24", # ERROR: Remote network not private
    ]
    pods = [
      "172.16.0.0/12", # ERROR: Networks overlap
      "10.200.0.128/25", # ERROR: Networks overlap
      "100.64.0.0/16",
    ]
  }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
