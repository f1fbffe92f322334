environment "dev" {
  region = "us-west-2"
}

node_profile "a" {
  extends = "b"
}

node_profile "b" {
  extends = "c"
}

node_profile "c" {
  extends = "a" # ERROR: Profiles in a cycle
}
