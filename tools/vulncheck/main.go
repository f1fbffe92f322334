package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	db := flag.String("db", "", "folder that holds the pinned database (it is written if it does not), or a URL of another")
	flag.Parse()
	if *db == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: vulncheck -db FOLDER|URL PACKAGE...")
		os.Exit(2)
	}
	failed, err := run(*db, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulncheck:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// run prints what is known about the packages and says whether it must fail.
func run(db string, packages []string) (failed bool, err error) {
	if !strings.Contains(db, "://") {
		if db, err = filepath.Abs(db); err != nil {
			return false, err
		}
		if err := ensure(pinned, db); err != nil {
			return false, err
		}
		db = "file://" + filepath.ToSlash(db)
	}
	found, err := govulncheck(context.Background(), db, packages...)
	if err != nil {
		return false, err
	}
	return found.write(os.Stdout)
}
