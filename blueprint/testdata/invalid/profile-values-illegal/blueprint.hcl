environment "dev" {
  region = "us-west-2"
}

node_profile "mine" {
  extends               = "training"
  transparent_hugepages = "maybe" # ERROR: Illegal value
  cpu_manager           = "dynamic" # ERROR: Illegal value
  topology_manager      = "single-numa" # ERROR: Illegal value
  memory_manager        = "static" # ERROR: Illegal value
  nvidia_driver         = "580" # ERROR: Illegal driver version

  hugepages = {
    "2Mi"  = -1 # ERROR: Illegal value
    "2MiB" = 4  # ERROR: Illegal size of huge pages
  }
  sysctl = {
    "somaxconn"          = 4096 # ERROR: Illegal kernel parameter
    "net.core.somaxconn" = 4096
    "net.core.rmem_max"  = [1]  # ERROR: Wrong type
  }
  limits = {
    nofile  = 2000000 # ERROR: Limit above the kernel's
    memlok  = "unlimited" # ERROR: Unknown limit
    memlock = "lots" # ERROR: Illegal limit
  }
  nccl = {
    NCCL_ALGO    = "Ring" # ERROR: Illegal NCCL parameter
    "al go"      = "Ring" # ERROR: Illegal NCCL parameter
    ib_gid_index = 3 # WARNING: Fixed GID index
  }
  roce = { traffic_class = 106, priority = 9 } # ERROR: Illegal value
}

node_profile "settings" {
  settings = {
    "thp.defrag"              = "defer"
    "thp.enabled"             = "never" # ERROR: Setting with an attribute of its own
    "sysctl.vm.swappiness"    = 1       # ERROR: Setting with an attribute of its own
    "cluster.activation_code" = "abc"   # ERROR: Setting of the pool
  }
}

node_profile "unlimited" {
  limits = { nofile = "unlimited" } # ERROR: Illegal limit
}
