environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "yolo" {
  location         = "swedencentral"
  image            = "registry.example.com/yolo:1"
  workload_profile = "Consumption-GPU-NC24-A100"
  disk             = "20GiB" # ERROR: More than the disk holds
}

serverless "container_app" "quarter" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  cpu      = 0.25
  memory   = "512MiB"
  disk     = "2GiB" # ERROR: More than the disk holds
}
