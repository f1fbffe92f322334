environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "azure" {
  location = "swedencentral"
  image    = "acme.azurecr.io/yolo:1" # ERROR: Registry without the right to pull
}

serverless "container_app" "floats" {
  location = "swedencentral"
  image    = "registry.example.com/yolo" # ERROR: Image that floats
}

serverless "container_app" "short" {
  location = "swedencentral"
  image    = "yolo:1" # ERROR: Illegal image
  subnet   = "apps"   # ERROR: Illegal resource id
  secrets  = {
    TOKEN = "hunter2" # ERROR: Secret by value # ERROR: Secrets without their vault
  }
}

serverless "container_app" "other" {
  location = "swedencentral"
  image    = "acme.azurecr.io/yolo:1"
  registry = { id = "/subscriptions/0/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/other" } # ERROR: Registry of another image
}

serverless "container_app" "logs" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  logs     = { kind = "log_analytics", workspace = "/subscriptions/0/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w" } # ERROR: Workspace of somebody else
}
