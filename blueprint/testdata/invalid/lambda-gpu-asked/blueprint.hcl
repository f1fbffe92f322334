environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image = { repository = "tuner", tag = "1" }
  gpu   = 1 # ERROR: GPU on Lambda
}
