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

storage "s3" "datasets" {
}

storage "s3" "fast" {
  express_zone = "use2-az1"
}

storage "fsx_lustre" "backed-up" {
  zone        = "use2-az1"
  size        = "4800GiB"
  linked_to   = storage.datasets
  backup_days = 7 # ERROR: Backups of a linked file system
}

storage "fsx_lustre" "express" {
  zone      = "use2-az1"
  size      = "4800GiB"
  linked_to = storage.fast # ERROR: Link to a directory bucket
}

storage "fsx_lustre" "no-bucket" {
  zone      = "use2-az1"
  size      = "4800GiB"
  linked_to = storage.express # ERROR: Link to what is no bucket
}

storage "fsx_lustre" "right" {
  zone        = "use2-az1"
  size        = "4800GiB"
  linked_to   = storage.datasets
  backup_days = 0
}
