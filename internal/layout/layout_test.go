package layout

import (
	"os"
	"testing"
)

// checks is every check, by the name it is run under.
var checks = map[string]func(*tree) ([]string, error){
	"imports":   always(checkImports),
	"forbidden": always(checkForbidden),
	"size":      always(checkSize),
	"packages":  always(checkPackages),
	"init":      always(checkInit),
	"words":     checkWords,
	"versions":  checkVersions,
}

func always(check func(*tree) []string) func(*tree) ([]string, error) {
	return func(t *tree) ([]string, error) { return check(t), nil }
}

func TestRepository(t *testing.T) {
	t.Parallel()
	repo, err := load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for name, check := range checks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems, err := check(repo)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range problems {
				t.Error(p)
			}
		})
	}
}

func TestEveryRowHasAReason(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range table {
		if r.why == "" {
			t.Errorf("the row of %s says no reason", r.folder)
		}
		if seen[r.folder] {
			t.Errorf("%s has two rows", r.folder)
		}
		seen[r.folder] = true
	}
}
