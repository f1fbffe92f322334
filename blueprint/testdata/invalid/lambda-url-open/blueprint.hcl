environment "dev" {
  region = "us-west-2"
}

serverless "lambda" "open" {
  image = { repository = "tuner", tag = "1" }
  url   = { auth = "none" } # ERROR: Function open to everybody
}

serverless "lambda" "meant" {
  image = { repository = "tuner", tag = "1" }
  url   = { auth = "none", public = true }
}
