environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "several" {
  location         = "swedencentral"
  image            = "registry.example.com/yolo:1"
  workload_profile = "Consumption-GPU-NC24-A100"
  gpu              = 2 # ERROR: Not what the profile has
}

serverless "container_app" "none" {
  location   = "swedencentral"
  image      = "registry.example.com/yolo:1"
  gpu        = 1    # ERROR: GPU without a GPU profile
  privileged = true # ERROR: Privileged container
}
