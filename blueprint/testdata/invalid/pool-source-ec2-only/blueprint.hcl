environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]
  remote { nodes = ["10.200.0.0/24"] }
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "rack" {
  accelerator   = { kind = "h100", count = 8 }
  local_storage = "raw" # ERROR: Only for EC2
  os            = "al2023" # ERROR: Only for EC2
  node_repair   = true # ERROR: Only for EC2
  update        = { max_unavailable = 1 } # ERROR: Only for EC2
  schedules     = [{ name = "night", cron = "0 20 * * *", desired = 1 }] # ERROR: Only for EC2
  gpu_sharing   = { kind = "time_slicing", replicas = 2 } # ERROR: Only for EC2
  hosts { addresses = ["10.200.0.11"] }
}
