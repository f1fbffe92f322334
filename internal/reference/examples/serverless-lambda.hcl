environment "train" {
  region = "us-east-2"
}

# show
serverless "lambda" "tuner" {
  image             = { repository = "tuner", tag = "1.4.0" }
  memory            = "8192MiB"
  ephemeral_storage = "4096MiB"
  timeout           = "15m"
  weights           = { source = "s3://models/yolov8n.safetensors", path = "/tmp/weights" }
  queue             = { max_receive = 3 }
}
# end
