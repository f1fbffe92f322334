environment "dev" {
  region = "us-west-2"
}

locals {
  many = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]] # ERROR: Expression costs too much
}
