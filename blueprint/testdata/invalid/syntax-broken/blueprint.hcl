environment "dev" {
  region = "us-west-2"
}

network {
  cidr = # ERROR: Invalid expression
}

node_pool "gpu { # ERROR: Invalid multi-line string # ERROR: Invalid string literal
