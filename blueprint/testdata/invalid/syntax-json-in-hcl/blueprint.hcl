{
  "environment": {"dev": {"region": "us-west-2"}}
}
