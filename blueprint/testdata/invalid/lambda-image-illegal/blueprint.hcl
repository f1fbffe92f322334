environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image                   = { repository = "tuner" } # ERROR: Tag or digest
  memory                  = "20GiB" # ERROR: Illegal value
  ephemeral_storage       = 512 # ERROR: Wrong type
  timeout                 = "16m" # ERROR: Illegal value
  provisioned_concurrency = 4 # ERROR: More copies warm than allowed
  reserved_concurrency    = 2
  weights = {
    source = "https://example.com/m.safetensors" # ERROR: Illegal source of weights
    path   = "/opt/weights" # ERROR: Illegal path of weights
  }
}

serverless "lambda" "other" {
  image = { repository = "tuner", digest = "sha256:abc" } # ERROR: Illegal digest
}
