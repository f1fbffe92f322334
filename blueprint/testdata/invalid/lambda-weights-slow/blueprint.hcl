environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image             = { repository = "tuner", tag = "1" }
  memory            = "4096MiB"
  ephemeral_storage = "4096MiB"
  weights = {
    source = "s3://models/small.safetensors"
    path   = "/tmp/small.safetensors"
    size   = "2GiB" # WARNING: Weights slower than initialization
    sha256 = "abc"  # ERROR: Illegal SHA-256
  }
}
