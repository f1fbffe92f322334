environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "loose" {
  image = { repository = "tuner", tag = "1" }
  efs   = { path = "/mnt/models" } # ERROR: File system without a network
}

serverless "lambda" "path" {
  image = { repository = "tuner", tag = "1" }
  vpc   = { id = "vpc-0123456789abcdef0", subnets = ["subnet-0123456789abcdef0"] }
  efs   = { path = "/models", access_point = "fsap-1" } # ERROR: Illegal mount path # ERROR: Illegal access point
}
