environment "dev" {
  region = "us-west-2"
}

environment "prod" { # ERROR: Duplicate block
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "system" { # ERROR: Duplicate name
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

storage "s3" "data" {}

storage "s3" "data" {} # ERROR: Duplicate name

cache "alluxio" "data" {
  source = storage.data
}

node_pool "twice" {
  instance_types = ["m7i.xlarge"]
  size = {
    min     = 1
    desired = 1
    max     = 2
    min     = 0 # ERROR: Duplicate key
  }
  capacity {}
  capacity {} # ERROR: Duplicate block
}
