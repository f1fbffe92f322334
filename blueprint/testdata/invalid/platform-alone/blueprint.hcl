environment "dev" {
  region = "us-west-2"
}

storage "fsx_lustre" "scratch" {
  zone = "usw2-az1"
  size = "4800GiB"
}

platform { # ERROR: Platform without a cluster
  tracking  = { mlflow = true, artifacts = storage.scratch } # ERROR: Artifacts outside a bucket
  workflows = { argo = true, artifacts = storage.scratch } # ERROR: Artifacts outside a bucket
}
