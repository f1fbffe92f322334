environment "dev" {
  region = "us-west-2"
}

node_profile "mine" {
  nccl = {
    a = nothing("x") # ERROR: Call to unknown function
    b = cidrsubnet("10.0.0.0/16", 20, 1) # ERROR: Invalid function argument
    c = file("../language-functions/blueprint.hcl") # ERROR: Invalid function argument
    d = env("NOT_SET") # ERROR: Invalid function argument
    e = format("%99999d", 1) # ERROR: Invalid function argument
    f = env("NOT_SET", "default")
    g = jsonencode({ a = storage.data }) # ERROR: Invalid function argument
    h = format("%v", storage.data) # ERROR: Invalid function argument
  }
}

storage "s3" "data" {}
