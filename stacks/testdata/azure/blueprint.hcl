environment "tune" {
  region = "eu-west-1"
}

serverless "container_app" "sweep" {
  location = "westeurope"
  image    = "registry.example.com/sweep:1"
  trigger  = { kind = "manual" }
}
