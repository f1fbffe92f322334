environment "dev" {
  region = "us-west-2"
}

network = { cidr = "10.20.0.0/16" } # ERROR: Block expected

node_profile "a" {
  roce { # ERROR: Argument expected
    priority = 3
  }
}
