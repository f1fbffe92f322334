network { # ERROR: Missing block # ERROR: Missing argument # WARNING: No pool for system pods
  cidr = "10.20.0.0/16"
  remote {} # ERROR: Missing argument
}

storage "fsx_lustre" "scratch" { # ERROR: Missing argument # ERROR: Missing argument
  size = null
}
