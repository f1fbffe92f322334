environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = "m7i.xlarge" # ERROR: Wrong type
  size           = { min = "1", desired = 1.5, max = true } # ERROR: Wrong type # ERROR: Illegal value # ERROR: Wrong type
  labels         = ["a"] # ERROR: Wrong type
  taints         = { key = "a" } # ERROR: Wrong type
  root_volume    = 100 # ERROR: Wrong type
  gpu_sharing    = "mig" # ERROR: Wrong type
}

node_pool "other" {
  instance_types = ["m7i.xlarge", null, 5] # ERROR: Null element # ERROR: Wrong type
  size           = { min = 1, desired = 1, max = 9999 } # ERROR: Illegal value
  root_volume    = "100GB" # ERROR: Illegal value
}
