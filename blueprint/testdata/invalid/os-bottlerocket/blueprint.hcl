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

node_pool "own" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  ami            = "ami-0123456789abcdef0"
  os             = "bottlerocket" # ERROR: Not on Bottlerocket
}

node_pool "shared" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  os             = "bottlerocket" # ERROR: Not on Bottlerocket
  gpu_sharing    = { kind = "time_slicing", replicas = 4 }
}

node_pool "neuron" {
  instance_types = ["trn1.32xlarge"]
  zone           = "usw2-az1"
  size           = { min = 0, desired = 1, max = 2 }
  os             = "bottlerocket" # ERROR: Not on Bottlerocket
}
