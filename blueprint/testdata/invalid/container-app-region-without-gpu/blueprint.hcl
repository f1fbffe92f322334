environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "yolo" {
  location         = "westeurope" # ERROR: Profile not offered in region
  image            = "registry.example.com/yolo:1"
  workload_profile = "Consumption-GPU-NC24-A100"
}

serverless "container_app" "t4" {
  location         = "westeurope"
  image            = "registry.example.com/yolo:1"
  workload_profile = "Consumption-GPU-NC8as-T4"
}

serverless "container_app" "dedicated" {
  location         = "swedencentral" # ERROR: Profile not offered in region
  image            = "registry.example.com/yolo:1"
  workload_profile = "NC24-A100"
  profile_nodes    = { min = 0, max = 1 }
}

serverless "container_app" "form" {
  location = "sweden_central" # ERROR: Illegal region
  image    = "registry.example.com/yolo:1"
}
