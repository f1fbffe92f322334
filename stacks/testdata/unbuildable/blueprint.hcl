# Pools that the language takes and no component makes: each is told of at once, where it was written.
environment "train" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
}

network {
  cidr  = "10.60.0.0/16"
  zones = ["use2-az1", "use2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

node_pool "two-types-reserved" {
  instance_types = ["m7i.xlarge", "m7i.2xlarge"]
  zone           = "use2-az1"
  size           = { min = 1, desired = 1, max = 2 }
  capacity {
    kind        = "reservation"
    reservation = "cr-0123456789abcdef0"
  }
}

node_pool "reserved-twice" {
  instance_types = ["g6.xlarge"]
  zone           = "use2-az1"
  size           = { min = 1, desired = 1, max = 2 }
  capacity {
    kind = "reservation"
    reservations = [
      "arn:aws:ec2:us-east-2:111122223333:capacity-reservation/cr-0123456789abcdef0",
      "arn:aws:ec2:us-east-2:111122223333:capacity-reservation/cr-0123456789abcdef0",
    ]
  }
}

node_pool "short-block" {
  instance_types = ["p4d.24xlarge"]
  zone           = "use2-az1"
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind        = "capacity_block"
    reservation = "cr-0123456789abcdef1"
    start       = "2026-12-01T11:30:00Z"
    end         = "2026-12-01T12:00:00Z"
  }
}

node_pool "kept-beyond-block" {
  instance_types = ["p4d.24xlarge"]
  zone           = "use2-az1"
  size           = { min = 1, desired = 1, max = 2 }
  capacity {
    kind        = "capacity_block"
    reservation = "cr-0123456789abcdef2"
    end         = "2026-12-05T12:00:00Z"
  }
}

node_pool "interfaces-differ" {
  instance_types = ["g6e.12xlarge", "g6e.48xlarge"]
  zone           = "use2-az1"
  fabric         = "efa"
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "part-shared" {
  instance_types = ["g6f.xlarge"]
  size           = { min = 0, desired = 0, max = 1 }
  gpu_sharing    = { kind = "time_slicing", replicas = 2 }
}

node_pool "own-labels" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 0, desired = 0, max = 1 }
  labels = {
    "nvidia.com/gpu.present" = "false"
    "gpuyard.dev/fabric"     = "efa"
  }
}

node_pool "slices-and-pages" {
  instance_types = ["p4d.24xlarge"]
  size           = { min = 0, desired = 0, max = 1 }
  gpu_sharing    = { kind = "mig", profile = "1g.5gb" }
  profile        = node_profile.pages
}

node_profile "pages" {
  hugepages = { "1Gi" = 8 }
}
