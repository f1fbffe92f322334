environment "dev" {
  region = "us-west-2"
}

network {
  cidr  = "10.20.0.0/16"
  zones = ["usw2-az1", "usw2-az2", "usw2-az3"]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}

node_pool "spot" {
  instance_types = ["g6.xlarge"]
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind         = "spot"
    reservations = ["arn:aws:ec2:us-west-2:111122223333:capacity-reservation/cr-0123456789abcdef0"] # ERROR: Unused reservation
  }
}

node_pool "twice" {
  instance_types = ["g6.xlarge"]
  zone           = "usw2-az1"
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind         = "reservation"
    reservation  = "cr-0123456789abcdef0"
    reservations = ["arn:aws:ec2:us-west-2:111122223333:capacity-reservation/cr-0123456789abcdef1"] # ERROR: Reservation given twice
  }
}

node_pool "ids" {
  instance_types = ["g6.xlarge"]
  zone           = "usw2-az1"
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind         = "reservation"
    reservations = ["cr-0123456789abcdef0"] # ERROR: Illegal reservation
  }
}

node_pool "elsewhere" {
  instance_types = ["g6.xlarge"]
  zone           = "usw2-az1"
  size           = { min = 0, desired = 1, max = 2 }
  capacity {
    kind         = "reservation"
    reservations = ["arn:aws:ec2:us-east-2:111122223333:capacity-reservation/cr-0123456789abcdef0"] # ERROR: Reservation of another region
  }
}
