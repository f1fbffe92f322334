environment "dev" {
  region = "us-west-2"
}

variable "missing" { # ERROR: Variable not set
  type        = number
  description = "How many."
}

variable "wrong" {
  type    = number
  default = "three" # ERROR: Illegal variable value
}

variable "depends" {
  default = local.a # ERROR: Value not constant
}

variable "typed" {
  type    = strng # ERROR: Invalid type specification
  default = ""
}
