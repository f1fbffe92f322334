# Functions beside a cluster, with all that they can have, and an app on processors.
environment "serve" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
}

network {
  cidr  = "10.50.0.0/16"
  zones = ["use2-az1", "use2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

serverless "lambda" "rank" {
  image                   = { repository = "serve", digest = "sha256:abababababababababababababababababababababababababababababababab" }
  architecture            = "arm64"
  memory                  = "8192MiB"
  ephemeral_storage       = "4096MiB"
  expected_run            = "2s"
  provisioned_concurrency = 2
  reserved_concurrency    = 40
  scaling = {
    max       = 20
    schedules = [{ name = "day", cron = "0 8 ? * MON-FRI *", timezone = "Europe/Berlin", min = 4, max = 20 }]
  }
  weights = { source = "s3://models/rank.safetensors", path = "/mnt/models/rank.safetensors", size = "5GiB" }
  url     = {}
  vpc     = {}
  efs     = { path = "/mnt/models" }
  alarms  = { email = "oncall@example.com" }
  tracing = true
  registry = {
    keep         = 30
    replicate_to = ["us-west-2"]
    pull_through = [{ prefix = "ecr-public", upstream = "public.ecr.aws" }]
  }
  environment = { LEVEL = "info" }
}

serverless "lambda" "embed" {
  image = { repository = "serve", tag = "embed-3" }
  async = { retries = 0, max_age = "1h" }
  vpc   = {}
}

serverless "container_app" "site" {
  location = "westeurope"
  image    = "registry.example.com/site:4"
  cpu      = 0.5
  memory   = "1GiB"
  disk     = "1GiB"
  ingress  = { port = 80 }
  logs     = { kind = "none" }
}
