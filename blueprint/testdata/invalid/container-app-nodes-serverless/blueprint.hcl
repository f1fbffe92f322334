environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "yolo" {
  location         = "swedencentral"
  image            = "registry.example.com/yolo:1"
  workload_profile = "Consumption-GPU-NC24-A100"
  profile_nodes    = { min = 1, max = 2 } # ERROR: Counts on a serverless profile
}
