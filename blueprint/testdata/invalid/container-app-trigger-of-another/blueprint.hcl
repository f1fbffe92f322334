environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "a" {
  location         = "swedencentral"
  image            = "registry.example.com/a:1"
  workload_profile = "consumption" # ERROR: Illegal value
  trigger          = { kind = "http", length = 5 } # ERROR: Length without a queue
}

serverless "container_app" "b" {
  location = "swedencentral"
  image    = "registry.example.com/b:1"
  trigger  = { kind = "schedule", schedule = "daily" } # ERROR: Illegal schedule
}

serverless "container_app" "c" {
  location = "swedencentral"
  image    = "registry.example.com/c:1"
  trigger  = { kind = "manual", schedule = "0 3 * * *" } # ERROR: Schedule of another trigger
}
