environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image   = { repository = "tuner", tag = "1" }
  timeout = "10m"
  queue   = { visibility = "10m" } # ERROR: Visibility too short
}
