# Light fine-tuning without a cluster: adapters that fit into a function's 15 minutes on AWS Lambda, longer ones as a job
# with a GPU on Azure Container Apps. Each begins with a message in its queue, and costs next to nothing while there is none.

variable "region" {
  default     = "eu-west-1"
  description = "The AWS region."
}

variable "location" {
  default     = "swedencentral"
  description = "The Azure region; GPUs are in few."
}

variable "image" {
  default     = "registry.example.com/finetune:1"
  description = "The image of the job, from a registry that Azure can reach."
}

environment "dev" {
  region = var.region
  tags   = { project = "${PROJECT}" }
}

# On processors. The image is pushed into the environment's own registry: see the README.
serverless "lambda" "adapter" {
  image             = { repository = "adapter", tag = "1" }
  memory            = "10240MiB"
  ephemeral_storage = "10240MiB"
  timeout           = "15m"
  queue             = { max_receive = 3 }
}

# On one T4.
serverless "container_app" "finetune" {
  location         = var.location
  image            = var.image
  workload_profile = "Consumption-GPU-NC8as-T4"
  scale            = { min = 0, max = 4 }
  timeout          = "6h"
  trigger          = { kind = "queue", length = 1 }
}
