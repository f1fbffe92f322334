environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "storage" {
  image  = { repository = "tuner", tag = "1" }
  memory = "4096MiB"
  weights = {
    source = "s3://models/small.safetensors"
    path   = "/tmp/small.safetensors"
    size   = "2GiB" # ERROR: Weights larger than storage
  }
}

serverless "lambda" "memory" {
  image             = { repository = "tuner", tag = "1" }
  memory            = "2048MiB"
  ephemeral_storage = "10240MiB"
  weights = {
    source = "s3://models/small.safetensors"
    path   = "/tmp/small.safetensors"
    size   = "2GiB" # ERROR: Weights larger than memory
  }
}

serverless "lambda" "any" {
  image             = { repository = "tuner", tag = "1" }
  memory            = "10240MiB"
  ephemeral_storage = "10240MiB"
  weights = {
    source = "s3://models/large.safetensors"
    path   = "/tmp/large.safetensors"
    size   = "14GiB" # ERROR: Weights too large for Lambda
  }
}
