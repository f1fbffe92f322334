# The commands of this repository; `make` alone lists them.

# STACK is the environment that up and down work on: stacks/$(STACK).hcl.
STACK ?= dev
# FUZZTIME is how long each fuzz test runs.
FUZZTIME ?= 30s
# VULNDB is the database of known vulnerabilities. The default is one of a fixed day, so that a check gives the same
# answer everywhere; `make vulncheck VULNDB=https://vuln.go.dev` asks today's.
VULNDB ?= $(CURDIR)/bin/vulndb

# The tools are pinned in a module of their own, which keeps their dependencies out of ours. -checks adds to the
# default set that packages have a comment, and that comments of exported names start with the name.
STATICCHECK := go tool -modfile=$(CURDIR)/tools/go.mod staticcheck -checks inherit,ST1000,ST1020,ST1021,ST1022
VULNCHECK   := $(CURDIR)/bin/vulncheck -db $(VULNDB)

# DEBIAN is where the Debian 12 is made that real hosts are made of, and REALHOSTS what runs on such hosts. It needs root,
# so it is not part of `make test`, but a build tag keeps it in sight of the linters.
DEBIAN    ?= $(CURDIR)/bin/debian
REALHOSTS := GPUYARD_DEBIAN_ROOT=$(DEBIAN) go

# Python leaves no compiled files in the source.
PYTHON := PYTHONDONTWRITEBYTECODE=1 python3

# A build is the same whether or not git may read the folder, which in a container is often somebody else's.
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=false)

.DEFAULT_GOAL := help
.PHONY: help build pulumi up down test testcharts testpython test-lambda test-chaos debian test-openssh test-vm lint format vet staticcheck shellcheck vulncheck bench bench-nodeprep fuzz clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: pulumi ## Build bin/gpuyard and its provider plugin, and a Pulumi CLI beside it where no installed one will do
	go build -o bin/ ./cmd/gpuyard
	ln -sf gpuyard bin/pulumi-resource-gpuyard

pulumi: # The engine that gpuyard drives: an installed one, or one built into bin/ (minutes, once)
	@tools/pulumi.sh >/dev/null

up: build ## Bring STACK (default: dev) up on the embedded cloud: no account, no network
	bin/gpuyard up --local $(STACK)

down: build ## Take STACK down again
	bin/gpuyard destroy --local --yes $(STACK)

test: ## Run all tests
	pulumi=$$(tools/pulumi.sh) && GPUYARD_PULUMI=$$pulumi go test -timeout 45m ./...
	go -C tools test ./...
	$(MAKE) testcharts

# Helm, Rook and Fluid are dependencies of this module alone.
testcharts: ## Hold our values and custom resources against the charts and definitions themselves
	go -C tools/charts test ./...

testpython: ## Test what functions and jobs fetch their weights with (Python 3.9)
	$(PYTHON) -W error::ResourceWarning -m unittest discover -s examples/serverless/tests

test-lambda: ## Start a function with 1 GiB of weights under AWS's emulator of Lambda (Python 3.9)
	go -C tools/lambda build -o $(CURDIR)/bin/ github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie
	$(PYTHON) tools/lambda/test_emulator.py bin/aws-lambda-rie

test-chaos: ## Kill the command line at 100 points, and let every fault strike every resource type (takes minutes)
	pulumi=$$(tools/pulumi.sh) && GPUYARD_PULUMI=$$pulumi go test -timeout 60m -run '^TestChaos$$' -v ./cmd/gpuyard -kills 100 -all-faults

debian: # The root file system of real hosts (minutes, once)
	@tools/debianroot.sh $(DEBIAN)

test-openssh: debian ## Prepare hosts with real OpenSSH servers (root, Debian's debootstrap)
	$(REALHOSTS) test -count 1 -timeout 20m -tags realhosts ./nodeprep/opensshtest

test-vm: debian ## Prepare a real virtual machine, and reboot it (root, Debian's debootstrap and qemu-system-x86)
	$(REALHOSTS) test -count 1 -timeout 60m -tags realhosts -v ./nodeprep/vmtest

lint: format vet staticcheck vulncheck ## Check format, mistakes and known vulnerabilities

format:
	@files=$$(gofmt -l .); test -z "$$files" || { printf 'not formatted, run gofmt -w on:\n%s\n' "$$files"; exit 1; }

vet:
	go vet -tags realhosts ./...
	go -C tools vet ./...
	go -C tools/charts vet ./...

staticcheck:
	$(STATICCHECK) -tags realhosts ./...
	cd tools && $(STATICCHECK) ./...

shellcheck: ## Check the shell scripts that hosts run (needs Debian's shellcheck)
	shellcheck -s sh nodeprep/testdata/scripts/*.sh nodeprep/facts/gather.sh nodeprep/hosttest/commands.sh \
		nodeprep/opensshtest/host.sh nodeprep/vmtest/disk.sh tools/debianroot.sh

vulncheck:
	go -C tools build -o $(CURDIR)/bin/ ./vulncheck
	$(VULNCHECK) ./...
	cd tools && $(VULNCHECK) ./...

bench: ## Run the benchmarks
	pulumi=$$(tools/pulumi.sh) && GPUYARD_PULUMI=$$pulumi go test -timeout 60m -run '^$$' -bench . -benchmem ./...
	go -C bench/policy run .
	$(PYTHON) bench/weights/main.py
	@if [ "$$(id -u)" = 0 ] && [ -x $(DEBIAN)/usr/sbin/sshd ]; then $(REALHOSTS) run ./bench/nodeprep -ansible=false; \
	else echo 'Real hosts are not measured: make bench-nodeprep does so, as root, with debootstrap and ansible from Debian.'; fi

bench-nodeprep: debian ## Measure node preparation against SSH and Ansible on real OpenSSH servers (root; minutes)
	$(REALHOSTS) run ./bench/nodeprep

fuzz: ## Run every fuzz test for FUZZTIME (default: 30s) each
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | while IFS=: read -r file func; do \
		name=$${func#func }; package=$$(dirname "$$file"); \
		echo "$$package $$name" && \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$package" || exit 1; \
	done

clean: ## Remove what was built; environments on the embedded cloud (.gpuyard) stay
	rm -rf bin
