environment "dev" {
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

node_pool "disks" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 3, desired = 3, max = 3 }
  local_storage  = "raid0"
}

node_pool "passing" {
  instance_types = ["i4i.4xlarge"]
  size           = { min = 3, desired = 3, max = 3 }
  local_storage  = "raw"
  capacity { kind = "spot" }
}

storage "ceph" "shared" {
  pool = node_pool.disks # ERROR: Ceph without raw disks
}

storage "ceph" "other" { # ERROR: Second Ceph
  pool = node_pool.passing # ERROR: Ceph on passing capacity
}

storage "ceph" "scratch" { # ERROR: Second Ceph
  pool    = node_pool.passing # ERROR: Disks with two owners
  scratch = true
}

storage "local_nvme" "warm" {
  pool = node_pool.system # WARNING: Local volumes without local disks
}
