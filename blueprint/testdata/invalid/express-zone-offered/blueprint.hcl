environment "dev" {
  region = "us-east-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "h100" {
  instance_types = ["p5.48xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 2, max = 2 }
  fabric         = "efa"
}

storage "s3" "name" {
  express_zone = "us-east-2a" # ERROR: Express zone by name
}

storage "s3" "offered" {
  express_zone = "use2-az3" # ERROR: Zone without S3 Express One Zone
}

storage "s3" "lacks" {
  express_zone  = "use2-az1"
  versioned     = true   # ERROR: Not in a directory bucket
  expire_after  = "300d" # ERROR: Not in a directory bucket
  archive_after = "30d"  # ERROR: Not in a directory bucket
  checkpoints   = { parameters = 7e9, every = "2h", cross_zone = true } # ERROR: Not in a directory bucket
}

storage "s3" "far" {
  express_zone = "use2-az2" # WARNING: Bucket in another zone than its nodes
}

storage "s3" "a-name-of-almost-thirty-charac" {
  express_zone = "use2-az1"
}

storage "s3" "right" {
  express_zone = "use2-az1"
  mount        = "write"
}
