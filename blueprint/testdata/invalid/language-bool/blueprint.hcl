environment "dev" {
  region  = "us-west-2"
  protect = "maybe" # ERROR: Wrong type

  budget_per_hour = "ten" # ERROR: Wrong type
}
