environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "yolo" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  probes = [
    { kind = "startup", port = 80, initial_delay = "2m" }, # ERROR: Probe out of bounds
    { kind = "liveness", port = 80, period = "5m" },       # ERROR: Probe out of bounds
    { kind = "readiness", port = 80, failures = 30 },      # ERROR: Probe out of bounds
  ]
}
