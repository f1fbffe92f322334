environment "train" {
  region = "us-east-2"
}

# show
serverless "container_app" "detect" {
  location         = "swedencentral"
  image            = "registry.example.com/detect:8.3.1"
  workload_profile = "Consumption-GPU-NC8as-T4"
  scale            = { min = 0, max = 3 }
}
# end
