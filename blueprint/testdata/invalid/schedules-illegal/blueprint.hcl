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
}

node_pool "gpu" {
  instance_types = ["g6.xlarge"]
  size           = { min = 1, desired = 2, max = 4 }
  schedules = [
    { name = "day", cron = "0 7 * * MON-FRI", timezone = "Europe/Berlin", desired = 4 },
    { name = "night", cron = "0 20 * * MON-FRI", timezone = "Europe/Berlin", desired = 0 },  # ERROR: Size out of bounds
    { name = "late", cron = "0  20 * * mon-fri", timezone = "Europe/Berlin", desired = 1 },  # ERROR: Two schedules at one time
    { name = "elsewhere", cron = "0 20 * * MON-FRI", desired = 5 },                          # ERROR: Size out of bounds
    { name = "day", cron = "0 8 * * SAT", desired = 1 },                                     # ERROR: Illegal name of a schedule
    { name = "Sunday Noon", cron = "0 12 * * SUN", desired = 1 },                            # ERROR: Illegal name of a schedule
    { name = "eventbridge", cron = "0 7 ? * MON-FRI *", desired = 2 },                       # ERROR: Illegal schedule
    { name = "question", cron = "0 7 ? * MON-FRI", desired = 2 },                            # ERROR: Illegal schedule
    { name = "midnight", cron = "0 24 * * *", desired = 2 },                                 # ERROR: Illegal schedule
  ]
}

node_pool "block" {
  instance_types = ["p5.48xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 2, max = 2 }
  schedules      = [{ name = "night", cron = "0 20 * * *", desired = 0 }] # ERROR: Schedules in a Capacity Block
  capacity {
    kind        = "capacity_block"
    reservation = "cr-0123456789abcdef0"
  }
}
