environment "train" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

# show
node_pool "train" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 2, max = 4 }
  fabric         = "efa"
  local_storage  = "raid0"
  profile        = node_profile.training

  capacity {
    kind        = "reservation"
    reservation = "cr-0123456789abcdef0"
  }

  schedules = [
    { name = "night", cron = "0 20 * * *", timezone = "Europe/Berlin", desired = 4 },
    { name = "day", cron = "0 7 * * *", timezone = "Europe/Berlin", desired = 0 },
  ]
}
# end
