environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image                   = { repository = "tuner", tag = "1" }
  provisioned_concurrency = 4 # ERROR: More copies warm than allowed
  reserved_concurrency    = 2
  queue                   = { max_concurrency = 3 } # ERROR: More copies than reserved
  scaling                 = { max = 8 } # ERROR: More copies than reserved
}
