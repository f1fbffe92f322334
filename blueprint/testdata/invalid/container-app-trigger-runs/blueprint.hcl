environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "app" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  timeout  = "1h" # ERROR: Timeout without a job
  trigger  = { kind = "http" }
}

serverless "container_app" "job" {
  location     = "swedencentral"
  image        = "registry.example.com/yolo:1"
  timeout      = "30m"
  expected_run = "2h" # ERROR: Run beyond the timeout
  completions  = 2    # ERROR: More completions than replicas
  ingress      = { port = 80 } # ERROR: Ingress of a job
  trigger      = { kind = "manual" }
}

serverless "container_app" "probed" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  probes   = [{ kind = "startup", port = 80 }] # ERROR: Probes of a job
  trigger  = { kind = "queue", concurrency = 4 } # ERROR: Concurrency without requests
}
