environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "tuner" {
  image      = { repository = "tuner", tag = "1" }
  snap_start = true # ERROR: SnapStart with an image
}
