# Every function, and the ways in which values reach an argument.

variable "names" {
  type    = list(string)
  default = ["a", "b"]
}

variable "size" {
  type    = object({ min = number, desired = number, max = number })
  default = { min = 0, desired = 1, max = 2 }
}

locals {
  region = "us-west-2"
  zones  = [for i in range(1, 4) : format("usw2-az%d", i)]
  team   = split("\n", file("team.txt"))[0]
  parsed = jsondecode("{\"a\": 1, \"b\": [2, 3]}")
  base   = { "vm.swappiness" = 10 }
  later  = local.early + 1
  early  = length(concat(var.names, ["c"]))
}

environment "language" {
  region = local.region
  tags = {
    team     = local.team
    upper    = upper(lower("MiXeD"))
    joined   = join("-", distinct(flatten([var.names, ["a", ["c"]]])))
    keys     = join(",", keys({ x = 1, y = 2 }))
    values   = jsonencode(values({ x = 1, y = 2 }))
    number   = tonumber("5") + min(3, 4) * max(1, 2)
    text     = tostring(local.parsed.b[1])
    contains = contains(var.names, "b")
    coalesce = coalesce(null, "second")
    env      = env("NOT_SET", "default")
    local    = local.later
    question = length(var.names) > 1 ? "many" : "one"
    heredoc  = <<-EOT
      indented
    EOT
  }
}

network {
  cidr  = cidrsubnet("10.0.0.0/8", 8, 20)
  zones = local.zones
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = merge(var.size, { min = 1 })
  labels         = { for name in var.names : "gpuyard.dev/${name}" => name if name != "b" }
}

node_pool "other" {
  instance_types = ["m7i.xlarge"]
  size           = var.size
  zone           = lookup({ first = local.zones[0] }, "first", "none")
  image_release  = null
  profile        = node_profile.mine
  schedules = [for name, hour in { day = 7, night = 20 } : {
    name = name, cron = "0 ${hour} * * MON-FRI", timezone = "Europe/Berlin", desired = name == "day" ? var.size.max : 0
  }]
}

node_profile "mine" {
  sysctl = merge(local.base, { "vm.overcommit_memory" = "1" })
}
