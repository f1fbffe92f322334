environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 0, desired = 0, max = 2 } # WARNING: No node for system pods
}

node_pool "day" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  schedules = [
    { name = "morning", cron = "0 7 * * *", desired = 1 },
    { name = "night", cron = "0 20 * * *", desired = 0 }, # WARNING: No node for system pods
  ]
}

node_pool "gpu" {
  instance_types = ["g6.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
