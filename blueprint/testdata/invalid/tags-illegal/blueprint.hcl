environment "dev" {
  region = "us-west-2"
  tags = {
    "aws:name" = "x" # ERROR: Illegal tag
    ""         = "x" # ERROR: Illegal tag
    team       = "${join("", [for i in range(300) : "x"])}" # ERROR: Illegal tag
  }
}
