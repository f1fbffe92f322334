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
  schedules = [
    { name = "day", cron = "0 7 * * *", timezone = "Europe/Berlim", desired = 2 },  # ERROR: Unknown time zone
    { name = "night", cron = "0 20 * * *", timezone = "US/Eastern", desired = 1 },  # ERROR: Unknown time zone
    { name = "late", cron = "0 22 * * *", timezone = "utc", desired = 1 },          # ERROR: Unknown time zone
  ]
}

serverless "lambda" "few" {
  image                   = { repository = "tuner", tag = "1" }
  provisioned_concurrency = 1
  scaling = {
    max       = 2
    schedules = [{ name = "day", cron = "0 8 * * ? *", timezone = "Berlin", min = 1, max = 2 }] # ERROR: Unknown time zone
  }
}
