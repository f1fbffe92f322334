environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "none" {
  image = { repository = "tuner", tag = "1" }
  vpc   = {} # ERROR: No network
}

serverless "lambda" "half" {
  image = { repository = "tuner", tag = "1" }
  vpc   = { id = "vpc-1" } # ERROR: Half a network # ERROR: Illegal VPC
}

serverless "lambda" "subnet" {
  image = { repository = "tuner", tag = "1" }
  vpc   = { id = "vpc-0123456789abcdef0", subnets = ["private-a"] } # ERROR: Illegal subnet
}
