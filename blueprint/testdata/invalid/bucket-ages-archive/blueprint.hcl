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

storage "s3" "hours" {
  expire_after = "36h" # ERROR: Age in parts of a day
}

storage "s3" "archive" {
  archive_after = "30d"
  expire_after  = "119d" # ERROR: Objects expire in the archive
}

storage "s3" "right" {
  archive_after = "30d"
  expire_after  = "120d"
}
