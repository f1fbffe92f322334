environment "dev" {
  region = "us-west-2"
}

locals {
  a = 1
}

locals {
  a = 2 # ERROR: Duplicate local
  nested {} # ERROR: Unknown block
}
