environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

locals {
  size = { min = 0, desired = 1, max = 2 }
}

node_pool "gpu" {
  instance_types = ["m7i.xlarge"]
  size           = merge(local.size, { maxx = 3 }) # ERROR: Unknown argument
}

variable "size" {
  type    = object({ min = number, desired = number, max = number, step = number })
  default = { min = 1, desired = 1, max = 1, step = 1 }
}

node_pool "other" {
  instance_types = ["m7i.xlarge"]
  size           = var.size # ERROR: Unknown argument
}
