environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "large" {
  location         = "swedencentral"
  image            = "registry.example.com/yolo:1"
  workload_profile = "Consumption-GPU-NC8as-T4"
  cpu              = 16       # ERROR: More processors than the profile has
  memory           = "100GiB" # ERROR: More memory than the profile has
}

serverless "container_app" "half" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  cpu      = 2 # ERROR: Half a size
}

serverless "container_app" "pair" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  cpu      = 1 # ERROR: Processors and memory that do not go together
  memory   = "3GiB"
}
