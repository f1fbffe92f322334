package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("out", "", "folder to write the database to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "vulndb:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	if out == "" {
		return errors.New("say where the database goes: vulndb -out FOLDER")
	}
	src, err := download(pinned)
	if err != nil {
		return err
	}
	n, err := build(src, out)
	if err != nil {
		return fmt.Errorf("building the database in %s: %w", out, err)
	}
	fmt.Printf("%s: %d entries of %s\n", out, n, src.Modified.Format("2006-01-02"))
	return nil
}
