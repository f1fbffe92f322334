environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
  schedules      = [for i in range(126) : { name = "at-${i}", cron = "${i % 60} ${i < 60 ? 7 : i < 120 ? 8 : 9} * * *", desired = 2 }] # ERROR: Too many schedules
}
