environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "disks" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 0, desired = 4, max = 6 }
  local_storage  = "raw"
  schedules = [
    { name = "day", cron = "0 7 * * *", desired = 6 },
    { name = "night", cron = "0 20 * * *", desired = 2 }, # ERROR: Nodes that hold data
  ]
}

node_pool "loaders" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 0, desired = 2, max = 4 }
  schedules = [
    { name = "evening", cron = "0 18 * * *", desired = 1 },
    { name = "night", cron = "0 20 * * *", desired = 0 }, # ERROR: Nodes that hold data
  ]
}

storage "ceph" "shared" {
  pool    = node_pool.disks
  scratch = true
}

storage "s3" "sets" {
}

cache "alluxio" "sets" {
  source = storage.sets
  pool   = node_pool.loaders
}
