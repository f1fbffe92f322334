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

node_pool "gpu" {
  instance_types = ["g6.xlarge"]
  size = {
    min     = 3 # ERROR: Bounds in the wrong order
    desired = 2 # ERROR: Bounds in the wrong order
    max     = 1
  }
}

node_pool "empty" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 0, max = 0 } # ERROR: Pool that is always empty
}

serverless "container_app" "yolo" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:8.3.1"
  scale    = { min = 4, max = 2 } # ERROR: Bounds in the wrong order
}

platform {
  training    = { elastic = { min_nodes = 8, max_nodes = 4 } } # ERROR: Bounds in the wrong order
  autoscaling = { sm_activity = { below = 90, above = 80 } } # ERROR: Bounds in the wrong order
}
