environment "dev" {
  region             = "us-west-2"
  kubernetes_version = "1.35"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
  image_release  = "1.36.0-20261115" # ERROR: Image newer than cluster
}

node_pool "older" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
  image_release  = "1.34.0-20261115"
}

node_pool "oldest" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
  image_release  = "1.32.0-20261115"
}

node_pool "forgotten" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
  image_release  = "1.31.0-20261115" # ERROR: Image too old for cluster
}
