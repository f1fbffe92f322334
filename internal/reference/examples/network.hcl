environment "train" {
  region = "us-east-2"
}

# show
network {
  cidr              = "10.20.0.0/16"
  zones             = ["use2-az1", "use2-az2", "use2-az3"]
  nat               = "per_zone"
  private_endpoints = ["s3", "ecr", "sts", "ec2", "eks"]

  cluster_endpoint {
    public        = true
    allowed_cidrs = ["203.0.113.0/24"]
  }
}
# end

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

