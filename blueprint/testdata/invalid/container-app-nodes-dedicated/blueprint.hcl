environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "none" {
  location         = "swedencentral"
  image            = "registry.example.com/yolo:1"
  workload_profile = "D4" # ERROR: Profile without counts
}

serverless "container_app" "order" {
  location         = "swedencentral"
  image            = "registry.example.com/yolo:1"
  workload_profile = "D4"
  profile_nodes    = { min = 3, max = 2 } # ERROR: Bounds in the wrong order
}
