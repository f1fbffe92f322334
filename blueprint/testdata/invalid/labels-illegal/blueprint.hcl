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
  instance_types = ["g6.xlarge"]
  labels = {
    "node.kubernetes.io/mine"         = "allowed"
    "kubernetes.io/role"              = "x" # ERROR: Reserved label
    "node-role.kubernetes.io/worker"  = ""  # ERROR: Reserved label
    "eks.amazonaws.com/nodegroup"     = "x" # ERROR: Reserved label
    "gpuyard.dev/role"                = "two words" # ERROR: Illegal label
    "-begins"                         = "x" # ERROR: Illegal label
    "Upper.dev/role"                  = "x" # ERROR: Illegal label
  }
}
