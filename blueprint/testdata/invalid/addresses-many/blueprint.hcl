environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/21" # ERROR: Too few addresses
  zones = ["usw2-az1", "usw2-az2"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "p1" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p2" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p3" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p4" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p5" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p6" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p7" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p8" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p9" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p10" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p11" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p12" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p13" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p14" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p15" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p16" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p17" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p18" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p19" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p20" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p21" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p22" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p23" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}

node_pool "p24" {
  instance_types = ["m7i.xlarge"]
  zone           = "usw2-az2"
  size           = { min = 0, desired = 1, max = 3 }
}
