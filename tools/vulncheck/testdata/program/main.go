// Command program calls a function that the database under test calls vulnerable.
package main

import (
	"fmt"
	"strings"
)

func main() { fmt.Println(strings.ToUpper("found")) }
