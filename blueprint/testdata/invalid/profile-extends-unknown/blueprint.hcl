environment "dev" {
  region = "us-west-2"
}

node_profile "mine" {
  extends = "trainign" # ERROR: Unknown profile
}

node_profile "alone" {
  extends = "alone" # ERROR: Unknown profile
}

node_profile "training" {
  extends = "training" # the built-in one of that name
}
