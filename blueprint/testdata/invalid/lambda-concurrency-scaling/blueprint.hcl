environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "none" {
  image   = { repository = "tuner", tag = "1" }
  scaling = { max = 8 } # ERROR: Nothing to scale
}

serverless "lambda" "few" {
  image                   = { repository = "tuner", tag = "1" }
  provisioned_concurrency = 4
  scaling = {
    max = 2 # ERROR: Bounds in the wrong order
    schedules = [
      { name = "day", cron = "0 8 * * *", min = 1, max = 4 },           # ERROR: Illegal schedule
      { name = "night", cron = "0 20 * * ? *", min = 2, max = 1 },      # ERROR: Bounds in the wrong order
      { name = "Late Night", cron = "0 23 * * ? *", min = 0, max = 0 }, # ERROR: Illegal name of a schedule
    ]
  }
}
