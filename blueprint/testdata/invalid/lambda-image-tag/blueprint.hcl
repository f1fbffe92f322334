environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image = { repository = "tuner", tag = "-1" } # ERROR: Illegal tag
}

serverless "lambda" "other" {
  image = { repository = "public.ecr.aws/lambda/python:3.13", tag = "1" } # ERROR: Illegal repository
}
