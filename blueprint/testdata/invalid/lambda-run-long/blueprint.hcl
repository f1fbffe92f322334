environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "hours" {
  image        = { repository = "tuner", tag = "1" }
  expected_run = "2h" # ERROR: Run beyond Lambda's limit
}

serverless "lambda" "short" {
  image        = { repository = "tuner", tag = "1" }
  expected_run = "5m" # ERROR: Run beyond the timeout
}

serverless "lambda" "near" {
  image        = { repository = "tuner", tag = "1" }
  timeout      = "15m"
  expected_run = "14m" # WARNING: Run near Lambda's limit
}
