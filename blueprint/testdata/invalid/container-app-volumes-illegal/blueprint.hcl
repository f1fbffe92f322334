environment "dev" {
  region = "us-west-2"
}

serverless "container_app" "yolo" {
  location = "swedencentral"
  image    = "registry.example.com/yolo:1"
  volumes = [
    { name = "my.models", path = "/models", kind = "empty" },                                              # ERROR: Illegal name of a volume
    { name = "data", path = "data", kind = "empty" },                                                      # ERROR: Illegal mount path
    { name = "nfs", path = "/nfs", kind = "nfs", server = "a.file.core.windows.net", share = "/a/models" }, # ERROR: NFS without a network
    { name = "share", path = "/share", kind = "azure_file", share = "models" },                            # ERROR: Share not named
    { name = "other", path = "/other", kind = "azure_file", account = "models", share = "models" },        # ERROR: Illegal storage account
  ]
}
