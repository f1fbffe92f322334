environment "dev" {
  region = "us-west-2"
}

network "main" { # ERROR: Wrong labels
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]
}

storage "data" {} # ERROR: Wrong labels

storage "nfs" "data" {} # ERROR: Unknown kind
