environment "dev" {
  region = "us-west-2"
}

locals {
  a = local.b # ERROR: Locals in a cycle
  b = "${local.c}-b"
  c = local.a
  d = local.a
  e = local.e # ERROR: Locals in a cycle
}

locals {
  fine = 1
}
