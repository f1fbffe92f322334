environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "low" {
  image                = { repository = "tuner", tag = "1" }
  memory               = "127MiB" # ERROR: Illegal value
  ephemeral_storage    = "511MiB" # ERROR: Illegal value
  timeout              = "0s" # ERROR: Illegal value
  reserved_concurrency = -1 # ERROR: Illegal value
  queue                = { max_concurrency = 1, batch_size = 0, max_receive = 0 } # ERROR: Illegal value # ERROR: Illegal value # ERROR: Illegal value
  async                = { retries = -1, max_age = "59s" } # ERROR: Illegal value # ERROR: Illegal value
}

serverless "lambda" "high" {
  image             = { repository = "tuner", tag = "1" }
  memory            = "10241MiB" # ERROR: Illegal value
  ephemeral_storage = "10241MiB" # ERROR: Illegal value
  timeout           = "901s" # ERROR: Illegal value
  queue             = { max_concurrency = 1001, batch_size = 11, visibility = "13h" } # ERROR: Illegal value # ERROR: Illegal value # ERROR: Illegal value
  async             = { retries = 3, max_age = "7h" } # ERROR: Illegal value # ERROR: Illegal value
}
