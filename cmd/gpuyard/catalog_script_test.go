package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpuyard/gpuyard/catalog/answers"
	"github.com/gpuyard/gpuyard/internal/awscatalog/awstest"
)

// awsanswers starts a server that answers as AWS does from the recorded types, offerings and prices in a folder, and
// points the commands that follow at it: `awsanswers DIR`. With more arguments the next calls of actions are errors:
// `awsanswers DIR GetProducts=AccessDeniedException`.
func awsanswers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: awsanswers DIR [ACTION=CODE...]")
	}
	var set answers.Set
	for name, into := range map[string]any{"types": &set.Types, "offerings": &set.Offerings, "prices": &set.Prices} {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(filepath.Join(args[0], name+".json"))), into))
	}
	server := awstest.New(set)
	ts.Defer(server.Close)
	for _, fault := range args[1:] {
		action, code, _ := strings.Cut(fault, "=")
		server.Fail(action, awstest.Fault{Status: http.StatusForbidden, Code: code})
	}
	ts.Setenv("AWS_ENDPOINT_URL", server.URL)
	ts.Setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
	ts.Setenv("AWS_SECRET_ACCESS_KEY", "none")
}
