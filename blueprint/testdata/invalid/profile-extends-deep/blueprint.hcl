environment "dev" {
  region = "us-west-2"
}

node_profile "p1" {
  extends = "minimal"
}

node_profile "p2" {
  extends = "p1"
}

node_profile "p3" {
  extends = "p2"
}

node_profile "p4" {
  extends = "p3"
}

node_profile "p5" {
  extends = "p4"
}

node_profile "p6" {
  extends = "p5"
}

node_profile "p7" {
  extends = "p6"
}

node_profile "p8" {
  extends = "p7" # ERROR: Profiles nested too deeply
}

node_profile "p9" {
  extends = "p8" # ERROR: Profiles nested too deeply
}
