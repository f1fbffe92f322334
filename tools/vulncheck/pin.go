package main

// pin is a version of the module that holds the database, and the checksum its content must have.
type pin struct{ Version, Sum string }

// module is the path of the module that holds the database.
const module = "golang.org/x/vulndb"

// pinned is the database that checks run against. To move to a newer one, take Version and Sum from
//
//	go mod download -json golang.org/x/vulndb@master
var pinned = pin{
	Version: "v0.0.0-20261105234957-e22db6528018",
	Sum:     "h1:mfngRv0Yoh0VApsXKEN82CjD99kl7mtparN3bs3JnqI=",
}
