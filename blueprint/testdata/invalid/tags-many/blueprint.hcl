environment "dev" { # ERROR: Too many tags
  region = "us-west-2"
  tags   = { for i in range(41) : "tag${i}" => "x" }
}
