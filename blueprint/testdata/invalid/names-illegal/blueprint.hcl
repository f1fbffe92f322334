environment "Dev" { # ERROR: Illegal name
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "8xl40s" { # ERROR: Illegal name
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_profile "with_underscore" {} # ERROR: Illegal name

storage "s3" "ends-" {} # ERROR: Illegal name

serverless "lambda" "a-name-that-is-much-too-long-for-it" { # ERROR: Name too long
  image = { repository = "tuner", tag = "1" }
}

variable "with-dash" { # ERROR: Illegal name
  default = ""
}
