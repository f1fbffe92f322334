environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image = { repository = "tuner", tag = "1" }
  registry = {
    replicate_to = [
      "us-west-2", # ERROR: Replication to itself
      "us-wset-1", # ERROR: Unknown region
    ]
    pull_through = [
      { prefix = "A", upstream = "public.ecr.aws" },                                                                         # ERROR: Illegal prefix
      { prefix = "hub", upstream = "https://registry-1.docker.io" },                                                         # ERROR: Illegal upstream registry
      { prefix = "hub", upstream = "registry-1.docker.io", credential = "arn:aws:secretsmanager:us-west-2:1:secret:hub-1" }, # ERROR: Illegal credential
    ]
  }
}
